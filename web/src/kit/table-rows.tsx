import { ArrowDown, ArrowUp, Ellipsis } from 'lucide-react'
import type { ReactNode } from 'react'
import { table as tableTexts } from '../texts/table.ts'
import { useTexts } from '../texts/texts.ts'
import { IconButton } from './button.tsx'
import { BareCheckbox } from './choice.tsx'
import { classes } from './classes.ts'
import { Icon } from './icon.tsx'
import { Menu, type MenuEntry } from './menu.tsx'
import styles from './table.module.css'
import type { Selection } from './table.tsx'
import type { Order } from './table-address.ts'
import { VisuallyHidden } from './visually-hidden.tsx'

export type Column<Row, Sort extends string = never> = {
  label: string
  cell: (row: Row) => ReactNode
  /** The server's name of the sort order; without it the column cannot be sorted by. */
  sort?: Sort
  /** The order that a first press chooses; upwards unless told otherwise. */
  startsWith?: Order
  /** A share of the table's width, such as `18%`; columns without one share what is left. */
  width?: string
  isNumber?: boolean
}

/** The table itself, also for lists that are short or grow at their end. Its columns have fixed widths: no name pushes another column, and menus never leave their place. */
export function TableRows<Row extends { id: string }, Sort extends string>({
  label,
  rows,
  columns,
  nameOf,
  sort,
  order = 'asc',
  onSort = () => {},
  menu,
  selection,
  isSelectable = () => true,
  isStale = false,
}: {
  label: string
  rows: readonly Row[]
  columns: readonly Column<Row, Sort>[]
  nameOf: (row: Row) => string
  sort?: Sort
  order?: Order
  onSort?: (sort: Sort, order: Order) => void
  menu?: ((row: Row) => readonly MenuEntry[]) | undefined
  selection?: Selection<Row> | undefined
  isSelectable?: ((row: Row) => boolean) | undefined
  isStale?: boolean
}) {
  const t = useTexts(tableTexts)
  const selectable = rows.filter(isSelectable)
  const isAll = selectable.length > 0 && selectable.every((row) => selection?.has(row))
  return (
    <table className={classes(styles.table, isStale && styles.stale)} aria-busy={isStale || undefined}>
      <caption className={styles.caption}>{label}</caption>
      <thead>
        <tr>
          {selection && (
            <th scope="col" className={styles.tick}>
              <BareCheckbox
                label={t.selectAll}
                isOn={isAll}
                disabled={selectable.length === 0}
                onChange={(isOn) => selection.set(selectable, isOn)}
              />
            </th>
          )}
          {columns.map((column) => (
            <Head key={column.label} column={column} sort={sort} order={order} onSort={onSort} />
          ))}
          {menu && (
            <th scope="col" className={styles.more}>
              <VisuallyHidden>{t.actions}</VisuallyHidden>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => {
          const entries = menu?.(row) ?? []
          return (
            <tr key={row.id} className={selection?.has(row) ? styles.selected : undefined}>
              {selection && (
                <td className={styles.tick}>
                  {isSelectable(row) && (
                    <BareCheckbox
                      label={t.select(nameOf(row))}
                      isOn={selection.has(row)}
                      onChange={(isOn) => selection.set([row], isOn)}
                    />
                  )}
                </td>
              )}
              {columns.map((column, index) =>
                index === 0 ? (
                  <th key={column.label} scope="row" className={styles.name}>
                    {column.cell(row)}
                  </th>
                ) : (
                  <td
                    key={column.label}
                    data-label={column.label}
                    className={column.isNumber ? styles.number : undefined}
                  >
                    {column.cell(row)}
                  </td>
                ),
              )}
              {menu && (
                <td className={styles.more}>
                  {entries.length > 0 && (
                    <Menu
                      label={t.actionsOf(nameOf(row))}
                      align="end"
                      entries={() => menu(row)}
                      trigger={(props) => (
                        <IconButton {...props} label={t.actionsOf(nameOf(row))} icon={Ellipsis} />
                      )}
                    />
                  )}
                </td>
              )}
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

function Head<Row, Sort extends string>({
  column: { label, sort: by, startsWith = 'asc', width, isNumber },
  sort,
  order,
  onSort,
}: {
  column: Column<Row, Sort>
  sort: Sort | undefined
  order: Order
  onSort: (sort: Sort, order: Order) => void
}) {
  const isSorted = by !== undefined && by === sort
  const next = isSorted ? (order === 'asc' ? 'desc' : 'asc') : startsWith
  return (
    <th
      scope="col"
      style={width === undefined ? undefined : { inlineSize: width }}
      className={classes(isNumber && styles.number, by === undefined && styles.plainHead)}
      aria-sort={isSorted ? (order === 'asc' ? 'ascending' : 'descending') : undefined}
    >
      {by === undefined ? (
        label
      ) : (
        <button
          type="button"
          className={classes(styles.sort, isSorted && styles.sorted)}
          onClick={() => onSort(by, next)}
        >
          {label}
          {isSorted && <Icon icon={order === 'asc' ? ArrowUp : ArrowDown} size={14} />}
        </button>
      )}
    </th>
  )
}
