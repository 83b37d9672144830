import { randomUUID } from 'node:crypto'
import {
  guarded,
  type Lane,
  MAX_MESSAGES,
  malformed,
  type PlannedStep,
  refusalOf,
  refused,
  type Step,
  type WalkTopic,
} from './lane.ts'

const EMOJI = ['👍', '🎉', '👀']

/** A topic with room on one page. */
const roomyTopic = (lane: Lane): WalkTopic | undefined =>
  lane.random.maybePick(lane.topics.filter(({ messages }) => messages.length < MAX_MESSAGES))

/** A message, plain or a reply or with a mention, with a key or without. */
export function sendMessage(lane: Lane, topic: WalkTopic | undefined = roomyTopic(lane)): Step | undefined {
  if (!topic) return undefined
  const { random } = lane
  const bot = lane.anyBot()
  const text = lane.newText()
  const mentioned = random.chance(0.2) ? random.pick(lane.bots).id : undefined
  const parentId = random.chance(0.2) ? random.maybePick(topic.messages)?.id : undefined
  const wrongParentId = random.chance(0.05) ? random.pick([random.uuid(), ...topic.deletedIds]) : undefined
  const replyTo = wrongParentId ?? parentId
  const key = random.chance(0.3) ? randomUUID() : undefined
  const sent = mentioned === undefined ? text : `${text} <@${mentioned}>`
  const body = { topicId: topic.id, text: sent, ...(replyTo !== undefined && { parentId: replyTo }) }
  const request = { bot, method: 'POST' as const, path: '/v2/messages', body, key }
  const keep = (answer: { status: number; body: unknown }) => {
    if (key !== undefined) lane.kept.push({ bot, key, body, answer })
  }
  const refuse = (refusal: Pick<Step, 'expected'>): Step => ({
    ...request,
    ...refusal,
    // A bot without the right to write is refused before the key is looked at.
    apply: (answer) =>
      bot !== lane.organization.reader && keep({ status: refusal.expected.status, body: answer }),
  })
  const refusal = refusalOf(lane, bot, 'POST', topic, 'Topic not found')
  if (refusal) return refuse(refusal)
  if (mentioned !== undefined && !topic.memberIds.has(mentioned))
    return refuse(refused(400, 'Invalid mention'))
  if (wrongParentId !== undefined) return refuse(refused(400, 'Invalid parentId'))
  return {
    ...request,
    expected: { status: 201, body: topic.id },
    seen: (answer) => Object(answer).topicId,
    apply: (answer) => {
      const { id } = Object(answer)
      const message = { id, senderId: bot.id, text: sent, parentId, isEdited: false, reactions: new Map() }
      topic.messages.push(message)
      keep({ status: 201, body: answer })
    },
  }
}

/** Repeats a request under a used key. The first answer comes again, even if something changed since. */
export function repeatMessage(lane: Lane): Step | undefined {
  const kept = lane.random.maybePick(lane.kept)
  if (!kept) return undefined
  const { bot, key, body, answer } = kept
  const request = { bot, method: 'POST' as const, path: '/v2/messages', key }
  if (lane.random.chance(0.7)) return { ...request, body, expected: answer }
  const other = { ...body, text: lane.newText() }
  return { ...request, body: other, ...refused(400, 'Idempotency-Key was already used with another request') }
}

export function sendNothing(lane: Lane): Step | undefined {
  const topic = lane.random.maybePick(lane.topics)
  const [bot] = lane.organization.writers
  if (!topic || !bot) return undefined
  const body = { topicId: topic.id, text: '' }
  return { bot, method: 'POST', path: '/v2/messages', body, ...refused(400, 'text is required') }
}

/** A step of a bot at a message, which it may take if it is a member of its topic. */
function atMessage(
  lane: Lane,
  method: Step['method'],
  step: (
    found: NonNullable<ReturnType<Lane['anyMessage']>>,
    botId: string,
  ) => PlannedStep & { path?: string },
  missing = 'Message not found',
): Step | undefined {
  const found = lane.anyMessage()
  if (!found) return undefined
  const bot = lane.anyBot()
  const { path: rest = '', ...planned } = step(found, bot.id)
  const request = { bot, method, path: `/v2/messages/${found.message.id}${rest}` }
  return guarded(lane, request, planned, found.topic, missing)
}

export const readMessage = (lane: Lane) =>
  atMessage(lane, 'GET', ({ message: { text, senderId, isEdited, parentId } }) => ({
    expected: { status: 200, body: { text, senderId, isEdited, parentId } },
    seen: (body) => {
      const { text, senderId, isEdited, parentId } = Object(body)
      return { text, senderId, isEdited, parentId }
    },
  }))

export const editMessage = (lane: Lane) =>
  atMessage(lane, 'PATCH', ({ message }, botId) => {
    const text = lane.newText()
    if (message.senderId !== botId) return { body: { text }, ...refused(403, 'forbidden') }
    return {
      body: { text },
      expected: { status: 200, body: message.id },
      seen: (body) => Object(body).id,
      apply: () => {
        message.text = text
        message.isEdited = true
      },
    }
  })

export const deleteMessage = (lane: Lane) =>
  atMessage(lane, 'DELETE', ({ topic, message }, botId) =>
    message.senderId === botId
      ? {
          expected: { status: 204 },
          apply: () => {
            topic.messages = topic.messages.filter((other) => other !== message)
            topic.deletedIds.push(message.id)
          },
        }
      : refused(403, 'forbidden'),
  )

export function readDeleted(lane: Lane): Step | undefined {
  const topic = lane.random.maybePick(lane.topics.filter(({ deletedIds }) => deletedIds.length > 0))
  if (!topic) return undefined
  const path = `/v2/messages/${lane.random.pick(topic.deletedIds)}`
  return { bot: lane.anyBot(), method: 'GET', path, ...refused(404, 'Message not found') }
}

export const react = (lane: Lane) =>
  atMessage(lane, 'POST', ({ message }, botId) => {
    const isWord = lane.random.chance(0.05)
    const emoji = lane.random.pick(EMOJI)
    if (isWord)
      return { path: '/reactions', body: { reaction: 'yes' }, ...malformed('reaction must be one emoji') }
    const known = [...message.reactions].find(([, one]) => one.botId === botId && one.emoji === emoji)
    return {
      path: '/reactions',
      body: { reaction: emoji },
      expected: { status: known ? 200 : 201, body: { messageId: message.id, known: known?.[0] } },
      seen: (body) => ({ messageId: Object(body).messageId, known: known && Object(body).id }),
      apply: (body) => message.reactions.set(Object(body).id, { botId, emoji }),
    }
  })

export const takeReactionBack = (lane: Lane) =>
  atMessage(
    lane,
    'DELETE',
    ({ message }, botId) => {
      const [id, reaction] = lane.random.maybePick([...message.reactions]) ?? [lane.random.uuid(), undefined]
      const path = `/reactions/${id}`
      if (!reaction) return { path, ...refused(404, 'Reaction not found') }
      if (reaction.botId !== botId) return { path, ...refused(403, 'forbidden') }
      return { path, expected: { status: 204 }, apply: () => message.reactions.delete(id) }
    },
    'Reaction not found',
  )

/** All texts of a topic, in their order. */
export function listMessages(lane: Lane): Step | undefined {
  const topic = lane.random.maybePick(lane.topics)
  if (!topic) return undefined
  const bot = lane.anyBot()
  const path = `/v2/topics/${topic.id}/messages?order=asc&limit=100&includeSystem=false`
  const refusal = refusalOf(lane, bot, 'GET', topic, 'Topic not found')
  const request = { bot, method: 'GET' as const, path }
  if (refusal) return { ...request, ...refusal }
  return {
    ...request,
    expected: { status: 200, body: topic.messages.map(({ text }) => text) },
    seen: (body) => {
      const { messages }: { messages: { type: string; text: string }[] } = Object(body)
      return messages.filter(({ type }) => type === 'text').map(({ text }) => text)
    },
  }
}
