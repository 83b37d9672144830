import type { DelimitedTable as Table } from './delimited.ts'
import styles from './delimited-table.module.css'

const NUMBER = /^[-+]?[\d.,\s]*\d\s?%?$/

/** Shows comma-separated values with their first line as the head, and numbers under each other. */
export function DelimitedTable({ head, rows }: Table) {
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          {head.map((name, column) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: columns have no other name, and never move
            <th key={column} scope="col" dir="auto">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other name, and never move
          <tr key={index}>
            {row.map((value, column) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: see above
              <td key={column} dir="auto" className={NUMBER.test(value) ? styles.number : undefined}>
                {value}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
