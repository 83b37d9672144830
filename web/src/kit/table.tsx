import { ArrowLeft, ArrowRight } from 'lucide-react'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { Refused } from '../api/call.ts'
import { table as tableTexts } from '../texts/table.ts'
import { useTexts } from '../texts/texts.ts'
import { Button, IconButton } from './button.tsx'
import { type Filter, FilterBar, FilterPill, FilterSearch } from './filters.tsx'
import type { MenuEntry } from './menu.tsx'
import { ErrorNotice } from './notice.tsx'
import { SkeletonRows } from './skeleton.tsx'
import styles from './table.module.css'
import type { TableAddress } from './table-address.ts'
import { type Column, TableRows } from './table-rows.tsx'
import { VisuallyHidden } from './visually-hidden.tsx'

export type { Column } from './table-rows.tsx'

/** A page of rows as lists of the console answer it. */
export type TablePage<Row> = {
  rows: readonly Row[]
  /** How many come before this page, and how many there are in all. */
  from: number
  total: number
  nextCursor?: string | undefined
  previousCursor?: string | undefined
}

/** A query with pages; while the next one comes, the one before stays in sight. */
type PageQuery<Row> = {
  data: TablePage<Row> | undefined
  isError: boolean
  error: unknown
  isPlaceholderData: boolean
  refetch: () => unknown
}

/**
 * The one table: the server searches, filters, sorts, counts and turns the pages, so ten thousand rows are as quick as ten.
 * Its state stands in the address (`useTableAddress`). On phones each row is a block of its own.
 */
export function Table<Row extends { id: string }, Sort extends string = never>({
  label,
  address,
  query,
  columns,
  nameOf,
  search,
  filters = [],
  menu,
  bulk,
  isSelectable,
  count,
  empty,
}: {
  label: string
  address: Omit<TableAddress<never, Sort>, 'filter' | 'asked'> & { filter: Readonly<Record<string, string>> }
  query: PageQuery<Row>
  /** The first one names the row. */
  columns: readonly Column<Row, Sort>[]
  /** The name of a row in the labels of its controls. */
  nameOf: (row: Row) => string
  /** The label of the search field; without it there is none. */
  search?: string
  filters?: readonly Filter[]
  /** Actions for one row; an empty list shows no menu. */
  menu?: (row: Row) => readonly MenuEntry[]
  /** Actions for the chosen rows, in place of the filters; rows can be chosen if this is given. */
  bulk?: (rows: readonly Row[], clear: () => void) => ReactNode
  isSelectable?: (row: Row) => boolean
  /** The number of rows in words, for screen readers and above the table. */
  count: (total: number) => string
  /** Shown if there are no rows at all. */
  empty: { title: string; text: string; action?: ReactNode }
}) {
  const t = useTexts(tableTexts)
  const selection = useSelection<Row>([address.search, JSON.stringify(address.filter)].join(' '))
  const { cursor, setCursor } = address
  // A place in a list of before: another person's link, or one from before an update.
  const isLostPlace = query.error instanceof Refused && query.error.status === 400 && cursor !== ''
  // biome-ignore lint/correctness/useExhaustiveDependencies: as soon as it is known
  useEffect(() => {
    if (isLostPlace) setCursor('')
  }, [isLostPlace])

  const page = query.data
  const turn = (to: string | undefined) => {
    if (to === undefined) return
    setCursor(to)
    window.scrollTo(0, 0)
  }
  return (
    <section className={styles.whole} aria-label={label}>
      {bulk && selection.rows.length > 0 ? (
        <div className={styles.bulk} role="toolbar" aria-label={t.selected(selection.rows.length)}>
          <strong role="status">{t.selected(selection.rows.length)}</strong>
          {bulk(selection.rows, selection.clear)}
          <Button look="quiet" size="small" onClick={selection.clear}>
            {t.clearSelection}
          </Button>
        </div>
      ) : (
        (search !== undefined || filters.length > 0) && (
          <FilterBar>
            {search !== undefined && (
              <FilterSearch label={search} value={address.typed} onChange={address.setTyped} />
            )}
            {filters.map((filter) => (
              <FilterPill
                key={filter.name}
                filter={filter}
                value={address.filter[filter.name] ?? ''}
                onChange={(value) => address.setFilter(filter.name, value)}
              />
            ))}
          </FilterBar>
        )
      )}
      {query.isError && !isLostPlace && (
        <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />
      )}
      {page === undefined ? (
        !query.isError && <SkeletonRows />
      ) : (
        <>
          <VisuallyHidden live>{count(page.total)}</VisuallyHidden>
          {page.rows.length === 0 ? (
            <Nothing address={address} empty={empty} />
          ) : (
            <TableRows
              label={label}
              rows={page.rows}
              columns={columns}
              nameOf={nameOf}
              sort={address.sort}
              order={address.order}
              onSort={address.setSort}
              menu={menu}
              selection={bulk && selection}
              isSelectable={isSelectable}
              isStale={query.isPlaceholderData}
            />
          )}
          {page.rows.length > 0 && (
            <div className={styles.foot}>
              <span className={styles.range}>
                {t.range(page.from + 1, page.from + page.rows.length, Math.max(page.total, page.rows.length))}
              </span>
              {(page.previousCursor !== undefined || page.nextCursor !== undefined) && (
                <span className={styles.turn}>
                  <IconButton
                    label={t.previous}
                    icon={ArrowLeft}
                    disabled={page.previousCursor === undefined}
                    onClick={() => turn(page.previousCursor)}
                  />
                  <IconButton
                    label={t.next}
                    icon={ArrowRight}
                    disabled={page.nextCursor === undefined}
                    onClick={() => turn(page.nextCursor)}
                  />
                </span>
              )}
            </div>
          )}
        </>
      )}
    </section>
  )
}

function Nothing({
  address,
  empty,
}: {
  address: Pick<TableAddress, 'isNarrowed' | 'clear'>
  empty: { title: string; text: string; action?: ReactNode }
}) {
  const t = useTexts(tableTexts)
  if (address.isNarrowed) {
    return (
      <div className={styles.empty}>
        <h2>{t.noMatch.title}</h2>
        <p>{t.noMatch.text}</p>
        <Button onClick={address.clear}>{t.noMatch.clear}</Button>
      </div>
    )
  }
  return (
    <div className={styles.empty}>
      <h2>{empty.title}</h2>
      <p>{empty.text}</p>
      {empty.action}
    </div>
  )
}

export type Selection<Row> = {
  rows: readonly Row[]
  has: (row: Row) => boolean
  set: (rows: readonly Row[], isOn: boolean) => void
  clear: () => void
}

/** The selected rows, of all pages. Another search or filter clears the selection. */
function useSelection<Row extends { id: string }>(scope: string): Selection<Row> {
  const [chosen, setChosen] = useState<{ scope: string; rows: ReadonlyMap<string, Row> }>({
    scope,
    rows: new Map(),
  })
  return useMemo(() => {
    const rows = chosen.scope === scope ? chosen.rows : new Map<string, Row>()
    return {
      rows: [...rows.values()],
      has: ({ id }) => rows.has(id),
      set: (changed, isOn) => {
        const after = new Map(rows)
        for (const row of changed) {
          if (isOn) after.set(row.id, row)
          else after.delete(row.id)
        }
        setChosen({ scope, rows: after })
      },
      clear: () => setChosen({ scope, rows: new Map() }),
    }
  }, [chosen, scope])
}
