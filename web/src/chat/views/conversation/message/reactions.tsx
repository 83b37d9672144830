import { SmilePlus } from 'lucide-react'
import { useContext } from 'react'
import type { Message } from '../../../../../../contract/message.ts'
import { classes } from '../../../../kit/classes.ts'
import { Icon } from '../../../../kit/icon.tsx'
import { tip } from '../../../../kit/tip.ts'
import { messageTexts } from '../../../../texts/chat-message.ts'
import { useTexts } from '../../../../texts/texts.ts'
import { useChat } from '../../../store/context.tsx'
import { EmojiText } from '../emoji/custom.tsx'
import { MessageToolsContext } from './actions.ts'
import { useNameList, useNames } from './people.ts'
import styles from './reactions.module.css'

/** More names than these are not listed: the number beside the emoji says how many there are. */
const NAMED = 12

export function Reactions({ message }: { message: Message }) {
  if (message.reactions.length === 0) return null
  return <ReactionRow message={message} />
}

function ReactionRow({ message }: { message: Message }) {
  const t = useTexts(messageTexts)
  const me = useChat((state) => state.me?.id ?? '')
  const nameOf = useNames()
  const list = useNameList()
  const { react, openPicker } = useContext(MessageToolsContext)
  return (
    <div className={styles.row}>
      {message.reactions.map(({ emoji, count, userIds = [] }) => {
        const isMine = userIds.includes(me)
        const names = list(userIds.slice(0, NAMED).map(nameOf))
        return (
          <button
            key={emoji}
            type="button"
            className={classes(styles.reaction, isMine && styles.mine)}
            aria-pressed={isMine}
            aria-label={isMine ? t.reactionRemove(emoji, count) : t.reactionAdd(emoji, count)}
            {...tip(names === '' ? undefined : t.reactedBy(names, emoji))}
            onClick={() => react(message, emoji, !isMine)}
          >
            <span className={styles.emoji}>
              <EmojiText text={emoji} />
            </span>
            {count}
          </button>
        )
      })}
      <button
        type="button"
        className={classes(styles.reaction, styles.add)}
        aria-label={t.react}
        {...tip(t.react)}
        onClick={({ currentTarget }) => openPicker(message, currentTarget)}
      >
        <Icon icon={SmilePlus} size={16} />
      </button>
    </div>
  )
}
