import { named, Words } from '../../../../kit/name.tsx'
import { conversationTexts } from '../../../../texts/chat-conversation.ts'
import { useTexts } from '../../../../texts/texts.ts'
import type { ConversationKey } from '../../../model.ts'
import { useChat } from '../../../store/context.tsx'
import { isWorking, sameItems, typingNames } from '../../../store/selectors.ts'
import styles from './typing.module.css'

/** Names of those who are writing there now, or a bot at work. Not said to screen readers: it would never end. */
export function Typing({ of }: { of: ConversationKey }) {
  const t = useTexts(conversationTexts)
  const names = useChat((state) => typingNames(state, of), sameItems)
  const works = useChat((state) => isWorking(state, of))
  const [first, second, ...others] = names
  if (first === undefined) return null
  const one = (works ? t.workingOne : t.typingOne)(named(first))
  const many = works ? t.workingMany : t.typingMany
  const two = second === undefined ? one : works ? many : t.typingTwo(named(first), named(second))
  return (
    <span className={styles.typing}>
      <span className={styles.pulse} aria-hidden>
        <i />
        <i />
        <i />
      </span>
      <span className={styles.words}>
        <Words text={others.length > 0 ? many : two} />
      </span>
    </span>
  )
}
