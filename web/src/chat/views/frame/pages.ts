import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { type ChatApi, chatApi } from '../../../api/chat.ts'
import { useChat } from '../../store/context.tsx'

/** Calls the chat's own operations, for lists that no event keeps current. */
export function useChatApi(): ChatApi {
  const organizationId = useChat((state) => state.organizationId)
  return useMemo(() => chatApi(organizationId), [organizationId])
}

export type ListPage<Item> = { items: readonly Item[]; nextCursor?: string | undefined }

/** A list that is read page by page, from its beginning whenever `read` is another function. */
export function usePages<Item>(read: (cursor: string | undefined) => Promise<ListPage<Item>>) {
  const [pages, setPages] = useState<{ items: readonly Item[]; next: string | undefined }>()
  const [failure, setFailure] = useState<unknown>()
  const [isLoading, setLoading] = useState(false)
  const current = useRef(read)
  current.current = read
  const load = useCallback(
    (cursor: string | undefined, before: readonly Item[]) => {
      setLoading(true)
      setFailure(undefined)
      read(cursor)
        .then(
          ({ items, nextCursor }) =>
            current.current === read && setPages({ items: [...before, ...items], next: nextCursor }),
          (error: unknown) => current.current === read && setFailure(error),
        )
        .finally(() => current.current === read && setLoading(false))
    },
    [read],
  )
  useEffect(() => load(undefined, []), [load])
  return {
    items: pages?.items,
    failure,
    isLoading,
    /** Undefined where there is nothing more. */
    loadMore: pages?.next === undefined ? undefined : () => load(pages.next, pages.items),
    retry: () => load(pages?.next, pages?.items ?? []),
  }
}
