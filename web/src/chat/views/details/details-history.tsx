import { useCallback } from 'react'
import type { ChatTopic } from '../../../../../contract/people/chat-records.ts'
import type { listTopicChanges, TopicChange } from '../../../../../contract/people/places.ts'
import { Face } from '../../../kit/face.tsx'
import { named, Words } from '../../../kit/name.tsx'
import { Time } from '../../../kit/time.tsx'
import { places } from '../../../texts/places.ts'
import { useTexts } from '../../../texts/texts.ts'
import { useChat } from '../../store/context.tsx'
import { useNameList, useNames } from '../conversation/message/people.ts'
import { useChatApi, usePages } from '../frame/pages.ts'
import { PagedList } from '../inbox/paged-list.tsx'
import styles from './details.module.css'

/** Changes of a topic since it was created, the newest first. */
export function DetailsHistory({ topic }: { topic: ChatTopic }) {
  const t = useTexts(places)
  const api = useChatApi()
  const { id: topicId, updatedAt } = topic
  const pages = usePages(
    // biome-ignore lint/correctness/useExhaustiveDependencies: a change of the topic is another history
    useCallback(
      async (cursor: string | undefined) => {
        const { changes, nextCursor } = await api<typeof listTopicChanges>(
          'GET',
          '/topics/{topicId}/changes',
          {
            params: { topicId },
            query: cursor === undefined ? {} : { cursor },
          },
        )
        return { items: changes, nextCursor }
      },
      [api, topicId, updatedAt],
    ),
  )
  return (
    <PagedList pages={pages} empty={t.noHistory} label={t.tabs.history}>
      {(change) => <ChangeLine change={change} />}
    </PagedList>
  )
}

function ChangeLine({ change }: { change: TopicChange }) {
  const actor = useChat(({ members }) => members.get(change.actorId))
  const sentences = useSentences()
  return (
    <div className={styles.fact}>
      {actor && <Face member={actor} size={28} />}
      <span className={styles.words}>
        {sentences(change).map((sentence) => (
          <span key={sentence} className={styles.sentence}>
            <Words text={sentence} />
          </span>
        ))}
        <span className={styles.soft}>
          <Time at={change.createdAt} />
        </span>
      </span>
    </div>
  )
}

/** A change in words: one sentence for each thing that is another now. */
function useSentences(): (change: TopicChange) => string[] {
  const t = useTexts(places).history
  const nameOf = useNames()
  const names = (id: string) => named(nameOf(id))
  const list = useNameList()
  const labels = useChat((state) => state.labels)
  return ({ type, actorId, memberIds = [], changes = {} }) => {
    const who = names(actorId)
    const isAlone = memberIds.length === 1 && memberIds[0] === actorId
    const others = list(memberIds.map(names))
    if (type === 'member.added') return [isAlone ? t.joined(who) : t.added(who, others)]
    if (type === 'member.removed') return [isAlone ? t.left(who) : t.removed(who, others)]
    return Object.entries(changes).flatMap(([field, value]) => {
      switch (field) {
        case 'name':
          return t.name(who, named(String(value)))
        case 'description':
          return t.description(who)
        case 'labelId':
          return value === null ? t.noLabel(who) : t.label(who, named(labels.get(String(value)) ?? ''))
        case 'coverId':
          return t.cover(who)
        case 'open':
          return value ? t.opened(who) : t.closed(who)
        case 'joinedByDefault':
          return value ? t.joinedByDefault(who) : t.notJoinedByDefault(who)
        case 'announcement':
          return value ? t.announcement(who) : t.conversation(who)
        case 'archived':
          return value ? t.archived(who) : t.unarchived(who)
        default:
          return []
      }
    })
  }
}
