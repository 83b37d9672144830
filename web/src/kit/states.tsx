import type { ReactNode } from 'react'
import { common } from '../texts/common.ts'
import { useTexts } from '../texts/texts.ts'
import { Button } from './button.tsx'
import { ErrorNotice } from './notice.tsx'
import { SkeletonRows } from './skeleton.tsx'
import styles from './states.module.css'

/** An empty list: its purpose, and the way to begin. */
export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className={styles.empty}>
      <h2>{title}</h2>
      {children}
    </div>
  )
}

/** A query, or one of several pages. */
type Query<Data> = { data: Data | undefined; isError: boolean; error: unknown; refetch: () => unknown }

/** The view of a query: loading, failed, or with its data. Old data stays while new data comes. */
export function Loaded<Data>({
  query,
  children,
}: {
  query: Query<Data>
  children: (data: Data) => ReactNode
}) {
  if (query.data !== undefined) return <>{children(query.data)}</>
  if (query.isError) return <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />
  return <SkeletonRows />
}

/** Below a list that comes in pages. */
export function More({
  query,
}: {
  query: {
    hasNextPage: boolean
    isFetchingNextPage: boolean
    isFetchNextPageError: boolean
    error: unknown
    fetchNextPage: () => unknown
  }
}) {
  const t = useTexts(common)
  if (!query.hasNextPage) return null
  return (
    <div className={styles.more}>
      {query.isFetchNextPageError && <ErrorNotice error={query.error} />}
      <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
        {t.more}
      </Button>
    </div>
  )
}
