import type { sendContact, sendLocation } from '../../../../contract/people/cards.ts'
import type { createPoll } from '../../../../contract/polls.ts'
import type { createTask } from '../../../../contract/tasks.ts'
import type { ChatApi } from '../../api/chat.ts'
import type { Outgoing, OutgoingCard } from '../model.ts'
import type { SentAnswer } from './protocol.ts'

/** Sends a card with its own id as the key of the request. The answer has the id of the poll or the task, or of the message. */
export function sendCard(
  api: ChatApi,
  { topicId, parentId, localId: key }: Outgoing,
  card: OutgoingCard,
): Promise<SentAnswer> {
  const place = { topicId, ...(parentId !== undefined && { parentId }), externalId: key }
  switch (card.kind) {
    case 'poll':
      return api<typeof createPoll>('POST', '/polls', { body: { topicId, ...card.poll }, key })
    case 'task':
      return api<typeof createTask>('POST', '/tasks', { body: { topicId, ...card.task }, key })
    case 'location':
      return api<typeof sendLocation>('POST', '/locations', { body: { ...place, ...card.location }, key })
    case 'contact':
      return api<typeof sendContact>('POST', '/contacts', { body: { ...place, ...card.contact }, key })
  }
}
