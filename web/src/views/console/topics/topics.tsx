import type { ConsoleTopic, TOPIC_SORTS } from '../../../../../contract/people/topics.ts'
import { useMembership } from '../../../api/session.ts'
import { TopicMark } from '../../../kit/face.tsx'
import { StateMark, type Tone } from '../../../kit/notice.tsx'
import { PageHead } from '../../../kit/page.tsx'
import { RowName } from '../../../kit/row-name.tsx'
import { Table } from '../../../kit/table.tsx'
import { useTableAddress } from '../../../kit/table-address.ts'
import { Time } from '../../../kit/time.tsx'
import { consoleTopics } from '../../../texts/console-topics.ts'
import { useTexts } from '../../../texts/texts.ts'
import { useTopics } from './topic-data.ts'
import { useTopicMenu } from './topic-menu.tsx'

const SORTS: readonly (typeof TOPIC_SORTS)[number][] = ['name', 'createdAt']
const STATES: readonly ConsoleTopic['state'][] = ['open', 'closed', 'archived']
const TONES: Record<ConsoleTopic['state'], Tone> = { open: 'good', closed: 'warn', archived: 'plain' }

export default function Topics() {
  const t = useTexts(consoleTopics)
  const { organizationId } = useMembership()
  const address = useTableAddress({ filters: { state: STATES }, sorts: SORTS, sort: ['name', 'asc'] })
  const query = useTopics(address.asked)
  const { entries, asked } = useTopicMenu()
  return (
    <>
      <PageHead title={t.title} about={t.about} />
      <Table
        label={t.title}
        address={address}
        query={query}
        nameOf={({ name }) => name}
        search={t.search}
        filters={[
          {
            name: 'state',
            label: t.state,
            any: t.anyState,
            options: STATES.map((one) => [one, t.states[one]] as const),
          },
        ]}
        columns={[
          {
            label: t.columns.name,
            sort: 'name',
            cell: (topic) => (
              <RowName
                mark={<TopicMark topic={topic} size={28} />}
                name={topic.name}
                to={`/console/${organizationId}/topics/${topic.id}`}
              />
            ),
          },
          {
            label: t.columns.state,
            width: '16%',
            cell: (topic) => <StateMark tone={TONES[topic.state]}>{t.states[topic.state]}</StateMark>,
          },
          { label: t.columns.people, width: '10%', isNumber: true, cell: ({ people }) => people },
          { label: t.columns.bots, width: '8%', isNumber: true, cell: ({ bots }) => bots },
          {
            label: t.columns.created,
            width: '18%',
            sort: 'createdAt',
            startsWith: 'desc',
            cell: ({ createdAt }) => <Time at={createdAt} />,
          },
        ]}
        menu={entries}
        count={t.count}
        empty={t.none}
      />
      {asked}
    </>
  )
}
