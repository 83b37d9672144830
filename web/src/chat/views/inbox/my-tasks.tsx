import { useMemo } from 'react'
import { useSearchParams } from 'wouter'
import { Segmented } from '../../../kit/choice.tsx'
import { Select } from '../../../kit/field.tsx'
import { makerTexts } from '../../../texts/chat-makers.ts'
import { common } from '../../../texts/common.ts'
import { useTexts } from '../../../texts/texts.ts'
import type { MyTaskQuery } from '../../model.ts'
import { useChat } from '../../store/context.tsx'
import { compareNames, nameOf } from '../../store/selectors.ts'
import { useSnapshot } from '../conversation/snapshot.ts'
import { InboxPage } from './inbox-page.tsx'
import { TaskList } from './task-list.tsx'

const DAY_MS = 86_400_000
const SOON_DAYS = 7

/** All filters stand in the address. */
type Filters = {
  status: 'Open' | 'Done'
  whose: 'assigned' | 'created' | 'everyone'
  topicId: string
  due: 'any' | 'over' | 'soon' | 'never'
}

const oneOf = <Value extends string>(given: string | null, [first, ...others]: [Value, ...Value[]]): Value =>
  others.find((value) => value === given) ?? first

function useFilters(): [Filters, (change: Partial<Filters>) => void] {
  const [params, setParams] = useSearchParams()
  const topicId = params.get('topic') ?? ''
  const whose = oneOf(params.get('whose'), ['assigned', 'created', 'everyone'])
  const filters: Filters = {
    status: oneOf(params.get('status'), ['Open', 'Done']),
    // All tasks are those of one topic, in its own order.
    whose: topicId === '' && whose === 'everyone' ? 'assigned' : whose,
    topicId,
    due: oneOf(params.get('due'), ['any', 'over', 'soon', 'never']),
  }
  const change = (changes: Partial<Filters>) => {
    const { status, whose: who, topicId: topic, due } = { ...filters, ...changes }
    const next = new URLSearchParams({ status, whose: who, ...(topic && { topic }), due })
    setParams(next, { replace: true })
  }
  return [filters, change]
}

/** Due dates are counted in days of the reader. */
function queryOf({ status, whose, topicId, due }: Filters): MyTaskQuery {
  const now = Date.now()
  return {
    status,
    role: whose === 'created' ? 'created' : 'assigned',
    ...(topicId !== '' && { topicId }),
    ...(due === 'over' && { dueBefore: now }),
    ...(due === 'soon' && { dueFrom: now, dueBefore: now + SOON_DAYS * DAY_MS }),
    ...(due === 'never' && { undated: true }),
  }
}

/** Tasks across topics, or those of one topic in its order. */
export default function MyTasks() {
  const t = useTexts(makerTexts).tasks
  const c = useTexts(common)
  const [filters, change] = useFilters()
  const isTopicList = filters.whose === 'everyone'
  const whose: [Filters['whose'], string][] = [
    ['assigned', t.assigned],
    ['created', t.created],
  ]
  if (filters.topicId !== '') whose.push(['everyone', t.everyone])
  return (
    <InboxPage
      title={t.title}
      about={t.about}
      filters={
        <>
          <Segmented
            label={t.status}
            value={filters.status}
            options={[
              ['Open', t.open],
              ['Done', t.done],
            ]}
            onChange={(status) => change({ status })}
          />
          <Segmented
            label={t.whose}
            value={filters.whose}
            options={whose}
            onChange={(chosen) => change({ whose: chosen })}
          />
          <TopicFilter topicId={filters.topicId} onChange={(topicId) => change({ topicId })} />
          {!isTopicList && (
            <Select
              aria-label={t.due}
              value={filters.due}
              onChange={({ target }) =>
                change({ due: oneOf(target.value, ['any', 'over', 'soon', 'never']) })
              }
            >
              <option value="any">{`${t.due}${c.colon} ${t.dueAny}`}</option>
              <option value="over">{t.dueOver}</option>
              <option value="soon">{t.dueSoon}</option>
              <option value="never">{t.dueNever}</option>
            </Select>
          )}
        </>
      }
    >
      <TaskList
        key={JSON.stringify(filters)}
        of={
          isTopicList
            ? { kind: 'topic', topicId: filters.topicId, status: filters.status }
            : { kind: 'mine', query: queryOf(filters) }
        }
        none={
          filters.status === 'Open' && filters.due === 'any' && filters.topicId === '' ? t.none : t.noneFound
        }
      />
    </InboxPage>
  )
}

function TopicFilter({ topicId, onChange }: { topicId: string; onChange: (topicId: string) => void }) {
  const t = useTexts(makerTexts).tasks
  const topics = useChat((state) => state.topics)
  const snapshot = useSnapshot()
  const named = useMemo(
    () =>
      [...topics.values()]
        .filter(({ isMember }) => isMember)
        .map((topic) => ({ id: topic.id, name: nameOf(snapshot(), topic) }))
        .sort((one, other) => compareNames(one.name, other.name)),
    [topics, snapshot],
  )
  return (
    <Select aria-label={t.topic} value={topicId} onChange={({ target }) => onChange(target.value)}>
      <option value="">{t.allTopics}</option>
      {named.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </Select>
  )
}
