import type { Message } from '../../../../../../contract/message.ts'
import { ActionsCard } from './actions-card.tsx'
import { ContactCard, LocationCard } from './place-cards.tsx'
import { PollCard } from './poll-card.tsx'
import { MessageTaskCard } from './task-card.tsx'

/** A poll, a task, a place, a contact, or what a bot asks. */
export default function CardView({ message }: { message: Message }) {
  if (message.task) return <MessageTaskCard message={message} task={message.task} />
  if (message.poll) return <PollCard message={message} poll={message.poll} />
  if (message.location) return <LocationCard location={message.location} />
  if (message.contact) return <ContactCard contact={message.contact} />
  return <ActionsCard message={message} />
}
