import { Link } from 'wouter'
import type { ConsoleTopic, TOPIC_SORTS } from '../../../../../contract/people/topics.ts'
import { useMembership } from '../../../api/session.ts'
import { TopicMark } from '../../../kit/face.tsx'
import { Name } from '../../../kit/name.tsx'
import { StateMark, type Tone } from '../../../kit/notice.tsx'
import { Table } from '../../../kit/table.tsx'
import { useTableAddress } from '../../../kit/table-address.ts'
import { consoleTopics } from '../../../texts/console-topics.ts'
import { useTexts } from '../../../texts/texts.ts'
import { PageHead } from '../../../ui/page.tsx'
import { Time } from '../../../ui/time.tsx'
import { useTopics } from './topic-data.ts'
import { useTopicMenu } from './topic-menu.tsx'
import styles from './topics.module.css'

const SORTS: readonly (typeof TOPIC_SORTS)[number][] = ['name', 'createdAt']
const STATES: readonly ConsoleTopic['state'][] = ['open', 'closed', 'archived']
const TONES: Record<ConsoleTopic['state'], Tone> = { open: 'good', closed: 'warn', archived: 'plain' }

export default function Topics() {
  const t = useTexts(consoleTopics)
  const { organizationId } = useMembership()
  const address = useTableAddress({ filters: { state: STATES }, sorts: SORTS, sort: ['name', 'asc'] })
  const { search, sort, order, cursor } = address
  const { state } = address.filter
  const query = useTopics({
    search,
    sort,
    order,
    ...(state !== '' && { state }),
    ...(cursor !== '' && { cursor }),
  })
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
              <Link to={`/console/${organizationId}/topics/${topic.id}`} className={styles.topic}>
                <TopicMark topic={topic} size={28} />
                <Name text={topic.name} />
              </Link>
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
