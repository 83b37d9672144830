import { ChartColumn, CircleCheck, Contact, MapPin } from 'lucide-react'
import { Icon } from '../../../../kit/icon.tsx'
import { cardTexts } from '../../../../texts/chat-cards.ts'
import { useTexts } from '../../../../texts/texts.ts'
import type { OutgoingCard } from '../../../model.ts'
import styles from './cards.module.css'

const ICONS = { poll: ChartColumn, task: CircleCheck, location: MapPin, contact: Contact }

/** A card that waits in the outbox: its content, without any actions. */
export default function OutgoingCardView({ card }: { card: OutgoingCard }) {
  const t = useTexts(cardTexts)
  return (
    <div className={styles.plain}>
      <Icon icon={ICONS[card.kind]} size={20} className={styles.open} />
      <div className={styles.words}>
        <p className={styles.title} dir="auto">
          {titleOf(card) || t.place}
        </p>
        {card.kind === 'poll' && (
          <p className={styles.about} dir="auto">
            {card.poll.options.join(', ')}
          </p>
        )}
      </div>
    </div>
  )
}

function titleOf(card: OutgoingCard): string {
  switch (card.kind) {
    case 'poll':
      return card.poll.question
    case 'task':
      return card.task.title
    case 'location':
      return card.location.name ?? ''
    case 'contact':
      return card.contact.name
  }
}
