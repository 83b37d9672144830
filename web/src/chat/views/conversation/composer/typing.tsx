import { named, Words } from '../../../../kit/name.tsx'
import { conversationTexts } from '../../../../texts/chat-conversation.ts'
import { useTexts } from '../../../../texts/texts.ts'
import type { ConversationKey } from '../../../model.ts'
import { useChat } from '../../../store/context.tsx'
import { sameItems, typingNames } from '../../../store/selectors.ts'
import styles from './typing.module.css'

/** Who is writing there now. Not said to screen readers: it would never end. */
export function Typing({ of }: { of: ConversationKey }) {
  const t = useTexts(conversationTexts)
  const names = useChat((state) => typingNames(state, of), sameItems)
  const [first, second, ...others] = names
  if (first === undefined) return null
  const one = t.typingOne(named(first))
  const two = second === undefined ? one : t.typingTwo(named(first), named(second))
  return (
    <span className={styles.typing}>
      <span className={styles.pulse} aria-hidden>
        <i />
        <i />
        <i />
      </span>
      <span className={styles.words}>
        <Words text={others.length > 0 ? t.typingMany : two} />
      </span>
    </span>
  )
}
