import { CircleCheck, CircleDashed, FileText } from 'lucide-react'
import { useCallback } from 'react'
import type { Message } from '../../../../../contract/message.ts'
import type { ChatTopic } from '../../../../../contract/people/chat-records.ts'
import type { listTopicFiles, listTopicPolls } from '../../../../../contract/people/places.ts'
import type { listTopicTasks } from '../../../../../contract/people/tasks.ts'
import { Icon } from '../../../kit/icon.tsx'
import { Time } from '../../../kit/time.tsx'
import { places } from '../../../texts/places.ts'
import { useTexts } from '../../../texts/texts.ts'
import { useChat } from '../../store/context.tsx'
import { useChatApi, usePages } from '../frame/pages.ts'
import { MessageLine } from '../inbox/message-line.tsx'
import { PagedList } from '../inbox/paged-list.tsx'
import { useShell } from '../seam.ts'
import styles from './details.module.css'

const queryOf = (cursor: string | undefined) => (cursor === undefined ? {} : { cursor })

/** Every file of a topic, the newest first; pressed, it leads to its message. */
export function DetailsFiles({ topic: { id: topicId } }: { topic: ChatTopic }) {
  const t = useTexts(places)
  const api = useChatApi()
  const pages = usePages(
    useCallback(
      async (cursor: string | undefined) => {
        const { messages, nextCursor } = await api<typeof listTopicFiles>('GET', '/topics/{topicId}/files', {
          params: { topicId },
          query: queryOf(cursor),
        })
        const items = messages.flatMap((message) =>
          (message.attachmentDetails ?? []).map((file) => ({ id: file.id, file, message })),
        )
        return { items, nextCursor }
      },
      [api, topicId],
    ),
  )
  return (
    <PagedList pages={pages} empty={t.noFiles} label={t.tabs.files}>
      {({ file, message }) => <FileLine file={file} message={message} />}
    </PagedList>
  )
}

type File = NonNullable<Message['attachmentDetails']>[number]

function FileLine({ file, message }: { file: File; message: Message }) {
  const { goToMessage } = useShell()
  return (
    <button type="button" className={styles.who} onClick={() => goToMessage(message.topicId, message.id)}>
      {file.thumbnailUrl === undefined ? (
        <Icon icon={FileText} />
      ) : (
        <img
          src={file.thumbnailUrl}
          alt=""
          width={28}
          height={28}
          className={styles.thumbnail}
          loading="lazy"
        />
      )}
      <span className={styles.words}>
        <span className={styles.name}>
          <bdi>{file.name ?? file.type}</bdi>
        </span>
        <span className={styles.soft}>
          <bdi>{message.senderName}</bdi>, <Time at={message.createdAt} />
        </span>
      </span>
    </button>
  )
}

export function DetailsPolls({ topic: { id: topicId } }: { topic: ChatTopic }) {
  const t = useTexts(places)
  const api = useChatApi()
  const { goToMessage } = useShell()
  const pages = usePages(
    useCallback(
      async (cursor: string | undefined) => {
        const { messages, nextCursor } = await api<typeof listTopicPolls>('GET', '/topics/{topicId}/polls', {
          params: { topicId },
          query: queryOf(cursor),
        })
        return { items: messages, nextCursor }
      },
      [api, topicId],
    ),
  )
  return (
    <PagedList pages={pages} empty={t.noPolls} label={t.tabs.polls}>
      {(message) => (
        <MessageLine message={message} hasTopic={false} onGo={() => goToMessage(topicId, message.id)} />
      )}
    </PagedList>
  )
}

export function DetailsTasks({ topic: { id: topicId } }: { topic: ChatTopic }) {
  const t = useTexts(places)
  const api = useChatApi()
  const members = useChat((state) => state.members)
  const pages = usePages(
    useCallback(
      async (cursor: string | undefined) => {
        const { tasks, nextCursor } = await api<typeof listTopicTasks>('GET', '/topics/{topicId}/tasks', {
          params: { topicId },
          query: queryOf(cursor),
        })
        return { items: tasks, nextCursor }
      },
      [api, topicId],
    ),
  )
  return (
    <PagedList pages={pages} empty={t.noTasks} label={t.tabs.tasks}>
      {({ title, status, assignee, dueDate }) => (
        <div className={styles.fact}>
          <Icon icon={status === 'Done' ? CircleCheck : CircleDashed} />
          <span className={styles.words}>
            <span className={styles.name}>
              <bdi>{title}</bdi>
            </span>
            <span className={styles.soft}>
              {status === 'Done' ? t.done : t.openTask}
              {members.has(assignee) && (
                <>
                  {', '}
                  <bdi>{members.get(assignee)?.name}</bdi>
                </>
              )}
              {dueDate > 0 && (
                <>
                  {', '}
                  <Time at={dueDate} />
                </>
              )}
            </span>
          </span>
        </div>
      )}
    </PagedList>
  )
}
