import type { listChatMembers } from '../../../../contract/people/chat.ts'
import type { ChatApi } from '../../api/chat.ts'
import { ChatError } from '../model.ts'
import { mergeMembers } from '../store/apply.ts'
import type { ChatStore } from '../store/store.ts'
import { waitBefore } from './pacing.ts'

/** One request asks for so many; ids that are wanted within this time go together. */
const PART = 100
const TOGETHER_MS = 20
/** Ids are asked for once: an unknown one would be asked for again and again. */
const MAX_ASKED = 10_000

export type Members = ReturnType<typeof membersOf>

/** Reads members that views show, in an organization with too many to know them all. */
export function membersOf(store: ChatStore, api: ChatApi) {
  const asked = new Set<string>()
  let wanted: string[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  let failures = 0
  let isClosed = false

  async function read(): Promise<void> {
    timer = undefined
    const ids = wanted.splice(0, PART)
    if (ids.length === 0 || isClosed) return
    try {
      const query = { ids: ids.join(), limit: PART }
      const { members, online } = await api<typeof listChatMembers>('GET', '/members', { query })
      failures = 0
      if (!isClosed) store.update((state) => mergeMembers(state, members, online))
    } catch (error) {
      if (!(error instanceof ChatError)) throw error
      const isRefused = error.failure.status >= 400 && error.failure.status < 500
      if (!isRefused || error.retryAfterMs !== undefined) wanted.unshift(...ids)
      failures += 1
    }
    schedule()
  }

  function schedule(): void {
    if (wanted.length > 0 && !isClosed)
      timer ??= setTimeout(() => void read(), failures === 0 ? TOGETHER_MS : waitBefore(failures))
  }

  return {
    /** A view shows this member, who is not known. */
    want(id: string): void {
      if (asked.has(id)) return
      if (asked.size >= MAX_ASKED) asked.clear()
      asked.add(id)
      wanted.push(id)
      schedule()
    },

    /** Reads those that are known again: whether they are there may have passed unheard. `fresh` were just read. */
    refresh(fresh: readonly { id: string }[]): void {
      const { members, me } = store.getSnapshot()
      const known = new Set([me?.id, ...fresh.map(({ id }) => id)])
      asked.clear()
      wanted = [...members.keys()].filter((id) => !known.has(id))
      for (const id of wanted) asked.add(id)
      schedule()
    },

    close(): void {
      isClosed = true
      clearTimeout(timer)
    },
  }
}
