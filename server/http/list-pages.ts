import type { Caller } from '../caller.ts'
import type { Secrets } from '../secrets.ts'
import { cursors, cutPage } from './cursor.ts'

/** The sort key of an item, and the id that decides between equals. */
export type SortPosition = [key: string | number, id: string]

/** The start of a page: after this item, or, read backwards, before it. */
export type PageStart = { at: SortPosition; isBackwards: boolean }

/** `from` counts the items before the page, as known to its reader. */
type Position = PageStart & { from: number }

export type ListPage<Row> = {
  rows: Row[]
  from: number
  total: number
  hasMore: boolean
  nextCursor?: string
  previousCursor?: string
}

/**
 * A page of a list that can be read in both directions. A page is found by the item at its edge: the hundredth costs as
 * much as the first. A cursor's filters win over those that the request repeats.
 */
export async function readListPage<Filters, Row extends { id: string; sortKey: string | number }>(
  { secrets, caller, list }: { secrets: Secrets; caller: Caller; list: string },
  { cursor, filters: asked, limit }: { cursor: string | undefined; filters: Filters; limit: number },
  {
    read,
    count,
  }: {
    /** Reads `limit` rows, in the list's order or backwards. */
    read: (filters: Filters, start: PageStart | undefined, limit: number) => Promise<Row[]>
    count: (filters: Filters) => Promise<number>
  },
): Promise<ListPage<Row>> {
  const places = cursors<Filters, Position>(secrets, caller, list)
  const { filters, after: start } =
    cursor === undefined ? { filters: asked, after: undefined } : places.read(cursor)
  const [found, total] = await Promise.all([read(filters, start, limit + 1), count(filters)])
  const { items, last } = cutPage(found, limit)
  const isBackwards = start?.isBackwards === true
  const rows = isBackwards ? items.toReversed() : items
  const [hasBefore, hasMore] = isBackwards
    ? [last !== undefined, true]
    : [start !== undefined, last !== undefined]
  const known = start?.from ?? 0
  const from = !hasBefore ? 0 : isBackwards ? Math.max(1, known - rows.length) : known
  const cursorAt = (row: Row | undefined, place: Omit<Position, 'at'>) =>
    row && places.write({ filters, after: { at: [row.sortKey, row.id], ...place } })
  const nextCursor = hasMore
    ? cursorAt(rows.at(-1), { isBackwards: false, from: from + rows.length })
    : undefined
  const previousCursor = hasBefore ? cursorAt(rows[0], { isBackwards: true, from }) : undefined
  return {
    rows,
    from,
    total,
    hasMore: nextCursor !== undefined,
    ...(nextCursor !== undefined && { nextCursor }),
    ...(previousCursor !== undefined && { previousCursor }),
  }
}
