import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { keys } from '../../api/live.ts'
import { useMembership } from '../../api/session.ts'
import type { TablePage } from '../../kit/table.tsx'

/** The page of a list that a table asks for; while the next one comes, the one before stays in sight. */
export function useListPage<Asked, Row>({
  kind,
  list,
  asked,
  read,
  refetchInterval = false,
}: {
  /** The kind of thing whose changes make the list stale. */
  kind: Parameters<typeof keys.of>[1]
  /** The name of the list within that kind. */
  list: readonly string[]
  asked: Asked
  read: (asked: Asked, organizationId: string) => Promise<TablePage<Row>>
  /** Polling interval for data that the stream does not announce. */
  refetchInterval?: number | false
}) {
  const { organizationId } = useMembership()
  return useQuery({
    queryKey: keys.of(organizationId, kind, ...list, asked),
    queryFn: () => read(asked, organizationId),
    placeholderData: keepPreviousData,
    refetchInterval,
  })
}
