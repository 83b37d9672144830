import { useEffect, useState } from 'react'
import { useSearchParams } from 'wouter'

const PAUSE_MS = 250

export type Order = 'asc' | 'desc'
type Filters = Record<string, readonly string[]>
type Chosen<F extends Filters> = { [Name in keyof F]: F[Name][number] | '' }

/** Parameters of the request: only those that were chosen. */
type Asked<F extends Filters, Sort extends string> = {
  search: string
  sort: Sort
  order: Order
  cursor?: string
} & { [Name in keyof F]?: F[Name][number] }

export type TableAddress<F extends Filters = Filters, Sort extends string = string> = {
  /** The text in the search field, and the debounced text that is searched for. */
  typed: string
  setTyped: (text: string) => void
  search: string
  filter: Chosen<F>
  setFilter: (name: string, value: string) => void
  sort: Sort
  order: Order
  setSort: (sort: Sort, order: Order) => void
  /** The beginning of the page; empty for the first. */
  cursor: string
  setCursor: (cursor: string) => void
  /** Whether anything is searched for or filtered by. */
  isNarrowed: boolean
  /** Shows all again. */
  clear: () => void
  asked: Asked<F, Sort>
}

/**
 * The state of a table stands in the address: Back, a reload and a link find it there again. `filters` has the values that
 * each filter may have; another one counts as none. A change of anything else begins with the first page.
 */
export function useTableAddress<const F extends Filters, const Sort extends string>({
  filters,
  sorts,
  sort: first,
  prefix = '',
}: {
  filters: F
  sorts: readonly Sort[]
  /** The order to begin with. */
  sort: readonly [Sort, Order]
  /** The beginning of the names in the address, for a second table on a page. */
  prefix?: string
}): TableAddress<F, Sort> {
  const [params, setParams] = useSearchParams()
  const [SEARCH, SORT, ORDER, CURSOR] = [`${prefix}q`, `${prefix}sort`, `${prefix}order`, `${prefix}at`]
  const change = (changes: Record<string, string>, { replace = true } = {}) =>
    setParams(
      (before) => {
        const after = new URLSearchParams(before)
        for (const [name, value] of Object.entries({ [CURSOR]: '', ...changes })) {
          if (value === '') after.delete(name)
          else after.set(name, value)
        }
        return after
      },
      { replace },
    )
  const search = params.get(SEARCH) ?? ''
  const [typed, setTyped] = useState(search)
  const wanted = typed.trim()
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what is typed moves the address
  useEffect(() => {
    if (wanted === search) return
    const timer = window.setTimeout(() => change({ [SEARCH]: wanted }), PAUSE_MS)
    return () => window.clearTimeout(timer)
  }, [wanted])
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the address, by Back for example, moves what is typed
  useEffect(() => {
    if (wanted !== search) setTyped(search)
  }, [search])

  const names = Object.keys(filters)
  const chosen = Object.fromEntries(
    names.map((name) => [name, filters[name]?.find((value) => value === params.get(name)) ?? '']),
  ) as Chosen<F>
  const named = sorts.find((one) => one === params.get(SORT))
  const sort = named ?? first[0]
  const order = named === undefined ? first[1] : params.get(ORDER) === 'desc' ? 'desc' : 'asc'
  const cursor = params.get(CURSOR) ?? ''
  const asked = {
    search,
    sort,
    order,
    ...(cursor !== '' && { cursor }),
    ...Object.fromEntries(Object.entries(chosen).filter(([, value]) => value !== '')),
  } as Asked<F, Sort>
  return {
    typed,
    setTyped,
    search,
    filter: chosen,
    setFilter: (name, value) => change({ [name]: value }),
    sort,
    order,
    setSort: (by, direction) => change({ [SORT]: by, [ORDER]: direction === 'desc' ? 'desc' : '' }),
    cursor,
    // A page is a place to come back to.
    setCursor: (cursor) => change({ [CURSOR]: cursor }, { replace: false }),
    isNarrowed: search !== '' || names.some((name) => chosen[name] !== ''),
    clear: () => {
      setTyped('')
      change({ [SEARCH]: '', ...Object.fromEntries(names.map((name) => [name, ''])) })
    },
    asked,
  }
}
