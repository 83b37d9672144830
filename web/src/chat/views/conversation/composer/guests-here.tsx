import { UsersRound } from 'lucide-react'
import { Icon } from '../../../../kit/icon.tsx'
import { guests } from '../../../../texts/guests.ts'
import { useTexts } from '../../../../texts/texts.ts'
import { useChat } from '../../../store/context.tsx'
import styles from './guests-here.module.css'

/** A line above the field that counts the topic's guests, for everybody but guests. */
export function GuestsHere({ topicId }: { topicId: string }) {
  const t = useTexts(guests)
  const count = useChat(({ me, topics }) => (me?.role === 'guest' ? 0 : (topics.get(topicId)?.guests ?? 0)))
  if (count === 0) return null
  return (
    <p className={styles.guests}>
      <Icon icon={UsersRound} size={16} />
      {t.here(count)}
    </p>
  )
}
