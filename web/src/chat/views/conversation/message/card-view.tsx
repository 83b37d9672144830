import type { Message } from '../../../../../../contract/message.ts'
import { ActionsCard, PrivateNote } from './actions-card.tsx'
import { ContactCard, LocationCard } from './place-cards.tsx'
import { PollCard } from './poll-card.tsx'
import { MessageTaskCard } from './task-card.tsx'

/** A poll, a task, a place, a contact, or what a bot asks, and the words of bots to this person alone. */
export default function CardView({ message }: { message: Message }) {
  return (
    <>
      <Card message={message} />
      <PrivateNote message={message} />
    </>
  )
}

function Card({ message }: { message: Message }) {
  if (message.task) return <MessageTaskCard message={message} task={message.task} />
  if (message.poll) return <PollCard message={message} poll={message.poll} />
  if (message.location) return <LocationCard location={message.location} />
  if (message.contact) return <ContactCard contact={message.contact} />
  return message.actions && <ActionsCard message={message} actions={message.actions} />
}
