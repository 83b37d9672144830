import { Ellipsis, MessageSquareText, SmilePlus } from 'lucide-react'
import { useContext } from 'react'
import type { Message } from '../../../../../../contract/message.ts'
import { IconButton } from '../../../../kit/button.tsx'
import { tip } from '../../../../kit/tip.ts'
import { messageTexts } from '../../../../texts/chat-message.ts'
import { useTexts } from '../../../../texts/texts.ts'
import { useChat } from '../../../store/context.tsx'
import { MessageToolsContext } from './actions.ts'
import styles from './toolbar.module.css'

const QUICK = ['👍', '✅']

/** Over the message under the pointer, or with the focus. */
export function Toolbar({ message }: { message: Message }) {
  const t = useTexts(messageTexts)
  const tools = useContext(MessageToolsContext)
  const me = useChat((state) => state.me?.id ?? '')
  return (
    <div className={styles.tools} role="toolbar" aria-label={t.actions}>
      {QUICK.map((emoji) => {
        const isMine = message.reactions.some(
          (reaction) => reaction.emoji === emoji && reaction.userIds?.includes(me),
        )
        return (
          <button
            key={emoji}
            type="button"
            className={styles.quick}
            aria-label={t.reactWith(emoji)}
            aria-pressed={isMine}
            {...tip(t.reactWith(emoji))}
            onClick={() => tools.react(message, emoji, !isMine)}
          >
            {emoji}
          </button>
        )
      })}
      <IconButton
        label={t.react}
        keys="R"
        icon={SmilePlus}
        size="small"
        aria-haspopup="dialog"
        onClick={({ currentTarget }) => tools.openPicker(message, currentTarget)}
      />
      <span className={styles.line} />
      <IconButton
        label={t.reply}
        keys="T"
        icon={MessageSquareText}
        size="small"
        onClick={() => tools.reply(message)}
      />
      <IconButton
        label={t.more}
        icon={Ellipsis}
        size="small"
        aria-haspopup="menu"
        onClick={({ currentTarget }) => tools.openMenu(message, currentTarget)}
      />
    </div>
  )
}
