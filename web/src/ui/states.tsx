import type { ReactNode } from 'react'
import { useErrorText } from '../kit/error-text.ts'
import { common } from '../texts/common.ts'
import { useTexts } from '../texts/texts.ts'
import { Button, Notice } from './controls.tsx'

export { useErrorText }

export function Loading() {
  const t = useTexts(common)
  return (
    <div className="skeleton" role="status">
      <span className="hidden">{t.loading}</span>
      <i />
      <i />
      <i />
    </div>
  )
}

export function ErrorState({ error, onRetry }: { error: unknown; onRetry?: (() => void) | undefined }) {
  const t = useTexts(common)
  const errorText = useErrorText()
  return (
    <Notice tone="bad">
      <p>{errorText(error)}</p>
      {onRetry && (
        <div>
          <Button look="small" onClick={onRetry}>
            {t.retry}
          </Button>
        </div>
      )}
    </Notice>
  )
}

export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="empty">
      <h2>{title}</h2>
      {children}
    </div>
  )
}

/** A query, or one of several pages. */
type Query<Data> = { data: Data | undefined; isError: boolean; error: unknown; refetch: () => unknown }

/** What is shown while it loads, when it failed, and when it is there. Old data stays while new data comes. */
export function Loaded<Data>({
  query,
  children,
}: {
  query: Query<Data>
  children: (data: Data) => ReactNode
}) {
  if (query.data !== undefined) return <>{children(query.data)}</>
  if (query.isError) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  return <Loading />
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
    <div className="more">
      {query.isFetchNextPageError && <ErrorState error={query.error} />}
      <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
        {t.more}
      </Button>
    </div>
  )
}
