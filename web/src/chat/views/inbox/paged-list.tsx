import type { ReactNode } from 'react'
import { Button } from '../../../kit/button.tsx'
import { SkeletonRows } from '../../../kit/skeleton.tsx'
import { common } from '../../../texts/common.ts'
import { places } from '../../../texts/places.ts'
import { useTexts } from '../../../texts/texts.ts'
import { useFailureText } from '../frame/failure-text.ts'
import type { usePages } from '../frame/pages.ts'
import styles from './paged-list.module.css'

/** A list that is read page by page: what it shows, what it says while it has nothing, and the way to more. */
export function PagedList<Item extends { id: string }>({
  pages: { items, failure, isLoading, loadMore, retry },
  empty,
  label,
  children,
}: {
  pages: ReturnType<typeof usePages<Item>>
  empty: string
  label: string
  children: (item: Item) => ReactNode
}) {
  const t = useTexts(places)
  const c = useTexts(common)
  const failureText = useFailureText()
  const failed = failure !== undefined && (
    <div className={styles.none} role="alert">
      <p>{failureText(failure)}</p>
      <Button onClick={retry}>{c.retry}</Button>
    </div>
  )
  if (!items) return failed || <SkeletonRows />
  if (items.length === 0) return <p className={styles.none}>{empty}</p>
  return (
    <>
      <ul className={styles.list} aria-label={label} aria-busy={isLoading}>
        {items.map((item) => (
          <li key={item.id}>{children(item)}</li>
        ))}
      </ul>
      {failed}
      {loadMore && !failed && (
        <div className={styles.more}>
          <Button busy={isLoading} onClick={loadMore}>
            {t.more}
          </Button>
        </div>
      )}
    </>
  )
}
