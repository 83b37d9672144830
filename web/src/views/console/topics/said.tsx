import type { Message } from '../../../../../contract/message.ts'
import { classes } from '../../../kit/classes.ts'
import { Face } from '../../../kit/face.tsx'
import { Quiet } from '../../../kit/layout.tsx'
import { BotChip } from '../../../kit/marks.tsx'
import { Name } from '../../../kit/name.tsx'
import { Time } from '../../../kit/time.tsx'
import styles from './said.module.css'

/** Messages as an admin reads them who is not a member of the topic. */
export function Said({
  label,
  messages,
  markedId,
}: {
  label: string
  messages: readonly Message[]
  /** The message that the report is about. */
  markedId?: string
}) {
  return (
    <ol className={styles.list} aria-label={label}>
      {messages.map((message) => (
        <One key={message.id} message={message} isMarked={message.id === markedId} />
      ))}
    </ol>
  )
}

function One({ message, isMarked }: { message: Message; isMarked: boolean }) {
  const { senderId: id, senderName: name, senderType: type, text, attachmentDetails = [] } = message
  return (
    <li className={classes(styles.said, isMarked && styles.marked)} aria-current={isMarked || undefined}>
      <Face member={{ id, name, type }} size={28} />
      <div className={styles.words}>
        <p className={styles.who}>
          <strong>
            <Name text={name} />
          </strong>
          {type === 'bot' && <BotChip />}
          <Quiet as="span" small>
            <Time at={message.createdAt} />
          </Quiet>
        </p>
        {text !== '' && (
          <p className={styles.text}>
            <bdi>{text}</bdi>
          </p>
        )}
        {attachmentDetails.map((file) => (
          <p key={file.id}>
            <a href={file.url}>
              <Name text={file.name ?? file.id} />
            </a>
          </p>
        ))}
      </div>
    </li>
  )
}
