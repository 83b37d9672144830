import { useState } from 'react'
import type { ChatTopic } from '../../../../../contract/people/chat-records.ts'
import { Button } from '../../../kit/button.tsx'
import { TopicMark } from '../../../kit/face.tsx'
import { Select } from '../../../kit/field.tsx'
import { FieldGroup, Quiet } from '../../../kit/layout.tsx'
import { named, unmarked } from '../../../kit/name.tsx'
import { notifications } from '../../../texts/notifications.ts'
import { useTexts } from '../../../texts/texts.ts'
import { topicDetails } from '../../../texts/topic-details.ts'
import type { OwnChoice } from '../../model.ts'
import { useChat, useChatActions } from '../../store/context.tsx'
import { useAttempt } from '../frame/attempt.ts'
import styles from './notification-settings.module.css'

const LEVELS = ['everything', 'mentions', 'nothing'] as const

const differs = ({ isMember, muted, level, type }: ChatTopic): boolean =>
  isMember && (muted || level !== (type === 'dm' ? 'everything' : 'mentions'))

/** Topics that notify of more or less than others, each with what it notifies of. One that was changed back stays until the list is left. */
export function TopicsThatDiffer() {
  const t = useTexts(notifications).differ
  const level = useTexts(topicDetails).level
  const actions = useChatActions()
  const attempt = useAttempt()
  const topics = useChat((state) => state.topics)
  const [shown, setShown] = useState<ReadonlySet<string>>(new Set())
  const listed = [...topics.values()]
    .filter((topic) => differs(topic) || shown.has(topic.id))
    .sort((one, other) => one.name.localeCompare(other.name))
  const change = (topic: ChatTopic, choice: OwnChoice) => {
    setShown((before) => new Set(before).add(topic.id))
    void attempt(() => actions.setTopicState(topic.id, choice))
  }
  return (
    <FieldGroup legend={t.legend}>
      {listed.length === 0 && <Quiet small>{t.none}</Quiet>}
      <ul className={styles.topics}>
        {listed.map((topic) => (
          <li key={topic.id}>
            <TopicMark topic={topic} size={24} />
            <bdi>{topic.name}</bdi>
            {topic.muted && (
              <Button
                size="small"
                aria-label={unmarked(t.unmuteOne(named(topic.name)))}
                onClick={() => change(topic, { muted: false })}
              >
                {t.unmute}
              </Button>
            )}
            <Select
              aria-label={unmarked(t.levelIn(named(topic.name)))}
              value={topic.level}
              onChange={({ target }) => {
                const chosen = LEVELS.find((one) => one === target.value)
                if (chosen) change(topic, { level: chosen })
              }}
            >
              {LEVELS.map((one) => (
                <option key={one} value={one}>
                  {level[one]}
                </option>
              ))}
            </Select>
          </li>
        ))}
      </ul>
    </FieldGroup>
  )
}
