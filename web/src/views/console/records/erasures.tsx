import type { Erasure, listErasures } from '../../../../../contract/people/erasures.ts'
import { call } from '../../../api/call.ts'
import { Card } from '../../../kit/form.tsx'
import { Quiet, Stack } from '../../../kit/layout.tsx'
import { Name } from '../../../kit/name.tsx'
import { Table } from '../../../kit/table.tsx'
import { useTableAddress } from '../../../kit/table-address.ts'
import { Time } from '../../../kit/time.tsx'
import { erasureTexts } from '../../../texts/erasure.ts'
import { erasuresTexts } from '../../../texts/erasures.ts'
import { useTexts } from '../../../texts/texts.ts'
import { useListPage } from '../list-page.ts'

/** Steps of a deletion are not told of one by one; its end is. */
const LOOK_MS = 30_000

/** Deletions of people's data, and how far each has come. */
export function Erasures() {
  const t = useTexts(erasuresTexts)
  const { nameless } = useTexts(erasureTexts)
  const address = useTableAddress({ filters: {}, sorts: ['at'], sort: ['at', 'desc'], prefix: 'deleted-' })
  const { cursor } = address.asked
  const query = useListPage({
    kind: 'member',
    list: ['erasures'],
    asked: { cursor },
    refetchInterval: LOOK_MS,
    read: async (asked, organizationId) => {
      const { erasures, ...page } = await call<typeof listErasures>(
        'GET',
        '/people/organizations/{organizationId}/erasures',
        { params: { organizationId }, query: asked.cursor === undefined ? {} : { cursor: asked.cursor } },
      )
      return { rows: erasures.map((erasure) => ({ ...erasure, id: erasure.memberId })), ...page }
    },
  })
  return (
    <Card title={t.title} about={t.about} isWide>
      <Table
        label={t.list}
        address={address}
        query={query}
        nameOf={({ memberId }) => memberId}
        columns={[
          {
            label: t.columns.who,
            cell: ({ memberId }) => (
              <Stack tight>
                <strong>{nameless}</strong>
                <Quiet small>{memberId}</Quiet>
              </Stack>
            ),
          },
          {
            label: t.columns.asked,
            width: '22%',
            cell: ({ askedAt, askedBy }) => (
              <Stack tight>
                {askedBy ? <Name text={askedBy.name} /> : t.operator}
                <Quiet small>
                  <Time at={askedAt} exact />
                </Quiet>
              </Stack>
            ),
          },
          {
            label: t.columns.messages,
            width: '20%',
            cell: ({ withMessages }) => (withMessages ? t.messages.deleted : t.messages.kept),
          },
          { label: t.columns.state, width: '26%', cell: (erasure) => <State erasure={erasure} /> },
        ]}
        count={t.count}
        empty={t.none}
      />
    </Card>
  )
}

function State({ erasure: { state, finishedAt, nextAttemptAt } }: { erasure: Erasure }) {
  const t = useTexts(erasuresTexts)
  return (
    <Stack tight>
      {t.states[state]}
      {finishedAt !== undefined && (
        <Quiet small>
          <Time at={finishedAt} exact />
        </Quiet>
      )}
      {state === 'failing' && nextAttemptAt !== undefined && (
        <Quiet small>
          {t.again} <Time at={nextAttemptAt} exact />
        </Quiet>
      )}
    </Stack>
  )
}
