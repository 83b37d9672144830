import { classes } from '../../../../kit/classes.ts'
import { messageTexts } from '../../../../texts/chat-message.ts'
import { useTexts } from '../../../../texts/texts.ts'
import { useChat } from '../../../store/context.tsx'
import { useShell } from '../../seam.ts'
import styles from './mention.module.css'

/** A member's name in a text, marigold if it is the reader's own. */
export function Mention({ id }: { id: string }) {
  const t = useTexts(messageTexts)
  const name = useChat((state) => state.members.get(id)?.name)
  const isMe = useChat((state) => state.me?.id === id)
  const { openProfile } = useShell()
  const shown = <>@{name === undefined ? t.unknown : <bdi>{name}</bdi>}</>
  const look = classes(styles.mention, isMe && styles.me)
  if (name === undefined) return <span className={look}>{shown}</span>
  return (
    <button type="button" className={look} onClick={({ currentTarget }) => openProfile(id, currentTarget)}>
      {shown}
    </button>
  )
}
