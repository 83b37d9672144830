// The answer of both echo bots to an event.
const PREFIX = 'You said: '
const MAX_TEXT = 10_000

/** Answers what a person said. The event's id as idempotency key: an event that comes twice is answered once. */
export async function echo(parley, { id, type, data }) {
  if (type !== 'message.created') return
  // An answer to a reply stands in the same thread.
  const { topicId, text, id: messageId, parentId = messageId, senderType, type: kind } = data.message
  if (senderType === 'bot' || kind !== 'text') return
  const answer = Array.from(PREFIX + text)
    .slice(0, MAX_TEXT)
    .join('')
  try {
    await parley('POST', '/v2/messages', { topicId, text: answer, parentId }, { once: id })
  } catch (error) {
    // Nothing is left to answer if the topic was left or the message deleted. Other errors are worth another try.
    if (error.status !== 400 && error.status !== 404) throw error
  }
}
