import type { Static } from 'typebox'
import type { MemberResult, SearchParts, SearchResult, TopicResult } from '../../../../../contract/search.ts'
import { Face, TopicMark } from '../../../kit/face.tsx'
import { BotChip, MemberChip } from '../../../kit/marks.tsx'
import { searchTexts } from '../../../texts/search.ts'
import { useTexts } from '../../../texts/texts.ts'
import { useChat } from '../../store/context.tsx'
import { Line } from '../inbox/line.tsx'
import { useShell } from '../seam.ts'
import styles from './search.module.css'

export type FoundNames = {
  topics: readonly Static<typeof TopicResult>[]
  members: readonly Static<typeof MemberResult>[]
}

/** A text with its hits marked. `bdi` isolates its script. */
function Marked({ parts }: { parts: SearchParts }) {
  return (
    <bdi>
      {parts.map(({ text, hit }, index) =>
        // biome-ignore lint/suspicious/noArrayIndexKey: pieces of a text have no other name, and never change
        hit ? <mark key={index}>{text}</mark> : text,
      )}
    </bdi>
  )
}

const plain = (parts: SearchParts): string => parts.map(({ text }) => text).join('')

/** A message that was found: who said it, where and when, and the places of the words. */
export function FoundMessage({ result: { message, topic, excerpts } }: { result: SearchResult }) {
  const t = useTexts(searchTexts)
  const { goToMessage } = useShell()
  const sender = useChat(({ members }) => members.get(message.senderId))
  return (
    <Line
      mark={
        <Face
          member={sender ?? { id: message.senderId, name: message.senderName, type: message.senderType }}
          size={32}
        />
      }
      name={
        <>
          <bdi>{sender?.name ?? message.senderName}</bdi>
          <MemberChip type={message.senderType} role={sender?.role} />
        </>
      }
      where={
        <>
          {t.where} <bdi>{topic.name}</bdi>
        </>
      }
      at={message.createdAt}
      text={excerpts.map(({ source, parts }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: excerpts of one message have no other name
        <span key={index} className={styles.excerpt}>
          {t.sources[source] !== '' && <span className={styles.source}>{t.sources[source]}: </span>}
          <Marked parts={parts} />
        </span>
      ))}
      go={() => goToMessage(topic.id, message.id)}
    />
  )
}

/** Topics and people whose names fit. */
export function NameList({ names: { topics, members }, label }: { names: FoundNames; label: string }) {
  const { goToTopic, openProfile } = useShell()
  const known = useChat((state) => state.members)
  const knownTopics = useChat((state) => state.topics)
  return (
    <section aria-label={label}>
      <h2 className={styles.head}>{label}</h2>
      <ul className={styles.names}>
        {topics.map(({ id, name, description }) => (
          <li key={id}>
            <button type="button" className={styles.name} onClick={() => goToTopic(id)}>
              <TopicMark topic={knownTopics.get(id) ?? { id, name: plain(name), coverId: null }} size={24} />
              <span className={styles.words}>
                <Marked parts={name} />
                {description.some(({ hit }) => hit) && (
                  <span className={styles.soft}>
                    <Marked parts={description} />
                  </span>
                )}
              </span>
            </button>
          </li>
        ))}
        {members.map(({ id, name, type }) => (
          <li key={id}>
            <button
              type="button"
              className={styles.name}
              onClick={({ currentTarget }) => openProfile(id, currentTarget)}
            >
              <Face member={known.get(id) ?? { id, name: plain(name), type }} size={24} />
              <span className={styles.words}>
                <span>
                  <Marked parts={name} /> {type === 'bot' && <BotChip />}
                </span>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
