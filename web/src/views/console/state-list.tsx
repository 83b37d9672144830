import type { ReactNode } from 'react'
import { Quiet, Stack } from '../../kit/layout.tsx'
import { Name } from '../../kit/name.tsx'
import type { TablePage } from '../../kit/table.tsx'
import { useTableAddress } from '../../kit/table-address.ts'
import { useListPage } from './list-page.ts'

/** A list, the newest first, with one state of its rows as the only filter. `cursor` is for the query of a request. */
export function useStateList<Row>({
  kind,
  state,
  read,
}: {
  kind: Parameters<typeof useListPage>[0]['kind']
  state: string
  read: (
    asked: { isFiltered: boolean; cursor: { cursor?: string } },
    organizationId: string,
  ) => Promise<TablePage<Row>>
}) {
  const address = useTableAddress({ filters: { state: [state] }, sorts: ['at'], sort: ['at', 'desc'] })
  const { state: chosen, cursor } = address.asked
  const asked = { isFiltered: chosen === state, cursor: cursor === undefined ? {} : { cursor } }
  return { address, query: useListPage({ kind, list: ['list'], asked, read }) }
}

/** A name in bold, and below it what it stands for. */
export const NamedCell = ({ name, children }: { name: string; children: ReactNode }) => (
  <Stack tight>
    <strong>
      <Name text={name} />
    </strong>
    <Quiet small>{children}</Quiet>
  </Stack>
)
