import { AsyncLocalStorage } from 'node:async_hooks'
import type { Adapter, ChatInstance, WebhookOptions } from 'chat'
import type { Client, EventData } from '../../sdk/index.ts'
import { actionIdOf } from './cards.ts'
import { fromParleyEmoji } from './emoji.ts'
import { orUndefined, readIfThere } from './history.ts'
import { authorOf, messageOf, type ParleyMessage } from './messages.ts'
import { encodeThread, threadOf } from './threads.ts'

export type ParleyEvent = {
  [Type in keyof EventData]: { id: string; type: Type; data: EventData[Type] }
}[keyof EventData]

/** Events that the Chat SDK has handlers for. */
export const HEARD = [
  'message.created',
  'message.updated',
  'message.deleted',
  'reaction.added',
  'reaction.removed',
  'member.added',
  'message.action',
  'message.command',
] as const satisfies (keyof EventData)[]

/** The event that is handled now, and what was sent for it: an event that comes again sends nothing twice. */
export type Turn = {
  eventId: string
  sent: Map<string, number>
  /** The person who is answered, and what they did: private answers stand beside it. */
  asked?: { userId: string; topicId: string; messageId: string; actionId?: string }
}
export const turns: AsyncLocalStorage<Turn> = new AsyncLocalStorage<Turn>()

/** A key for what is sent now: equal when the same event comes again and the same is sent for it. */
export function keyFor(digest: string): string | undefined {
  const turn = turns.getStore()
  if (!turn) return undefined
  const count = (turn.sent.get(digest) ?? 0) + 1
  turn.sent.set(digest, count)
  return `${turn.eventId}:${digest}:${count}`
}

export type Receiver = {
  adapter: Adapter
  chat: ChatInstance
  parley: Client
  own: { id: string; name: string }
  /** Names of the bot's own commands. */
  commands: ReadonlySet<string>
  isDirectMessage(topicId: string): Promise<boolean>
}

/** Passes an event to the Chat SDK, and resolves when its handlers are done. */
export async function receive(
  receiver: Receiver,
  event: ParleyEvent,
  options: WebhookOptions,
): Promise<void> {
  if (actorOf(event) === receiver.own.id && event.type !== 'member.added') return
  const asked = askedIn(event)
  const turn = { eventId: event.id, sent: new Map(), ...(asked && { asked }) }
  await turns.run(turn, () => passOn(receiver, event, { ...options, deduplicate: false }))
}

async function passOn(receiver: Receiver, event: ParleyEvent, options: WebhookOptions): Promise<void> {
  const { adapter, chat, parley, own } = receiver
  const { type, data } = event
  switch (type) {
    case 'message.created': {
      if (data.message.isSystem || isOwnCommand(receiver, data.message)) return
      const message = await presentMessage(receiver, data.message)
      if (message) await chat.processMessage(adapter, message.threadId, message, options)
      return
    }
    case 'message.updated': {
      const { message, updatedFields } = data
      if (!updatedFields.includes('text') || message.text === '') return
      const isDirect = await receiver.isDirectMessage(message.topicId)
      const updated = messageOf(parley, message, own, isDirect)
      const { previousText } = message
      await chat.processMessageUpdated(
        {
          adapter,
          threadId: updated.threadId,
          message: updated,
          ...(previousText !== undefined && {
            previousMessage: messageOf(parley, { ...message, text: previousText }, own, isDirect),
          }),
        },
        options,
      )
      return
    }
    case 'message.deleted': {
      // The thread of a deleted message is not known any more.
      const isDirectMessage = await receiver.isDirectMessage(data.topicId)
      const threadId = encodeThread({ topicId: data.topicId, isDirectMessage })
      for (const { id: messageId } of data.messages ?? [data.message])
        await chat.processMessageDeleted(
          {
            adapter,
            threadId,
            channelId: threadId,
            messageId,
            deletedAt: new Date(data.deletedAt),
            raw: data,
          },
          options,
        )
      return
    }
    case 'reaction.added':
    case 'reaction.removed': {
      const [read] = await readIfThere(parley, data.topicId, data.messageId)
      if (!read) return
      const message = messageOf(parley, read, own, await receiver.isDirectMessage(data.topicId))
      const { threadId, id: messageId } = message
      const user = await memberOf(receiver, data.userId)
      const emoji = fromParleyEmoji(data.emoji)
      const added = type === 'reaction.added'
      await chat.processReaction(
        { adapter, threadId, messageId, message, emoji, rawEmoji: data.emoji, added, user, raw: data },
        options,
      )
      return
    }
    case 'member.added': {
      if (!data.memberIds.includes(own.id)) return
      const isDirectMessage = await receiver.isDirectMessage(data.topicId)
      const channelId = encodeThread({ topicId: data.topicId, isDirectMessage })
      chat.processMemberJoinedChannel(
        { adapter, channelId, userId: own.id, inviterId: data.actorId },
        options,
      )
      return
    }
    case 'message.action': {
      const { messageId, topicId, userId, userName, elementId, value } = data
      const [read] = await readIfThere(parley, topicId, messageId)
      if (!read) return
      const threadId = threadOf(read, await receiver.isDirectMessage(topicId))
      const user = authorOf({ id: userId, name: userName, isBot: false }, own.id)
      const actionId = actionIdOf(elementId)
      await chat.processAction(
        { adapter, threadId, messageId, actionId, user, raw: data, ...(value !== undefined && { value }) },
        options,
      )
      return
    }
    case 'message.command': {
      if (data.name === '') return // taken back before it was read
      const { topicId, userId, userName, name, text } = data
      const channelId = encodeThread({ topicId, isDirectMessage: await receiver.isDirectMessage(topicId) })
      const user = authorOf({ id: userId, name: userName, isBot: false }, own.id)
      await chat.processSlashCommand(
        { adapter, channelId, command: `/${name}`, text, user, raw: data },
        options,
      )
      return
    }
  }
}

/** An event of a message that was changed since says nothing. What it says now is read then. */
async function presentMessage(receiver: Receiver, message: EventData['message.created']['message']) {
  const { parley, own } = receiver
  const isEmpty = message.type === 'text' && message.text === ''
  const [present]: ParleyMessage[] = isEmpty
    ? await readIfThere(parley, message.topicId, message.id)
    : [message]
  return present && messageOf(parley, present, own, await receiver.isDirectMessage(message.topicId))
}

/** Whether a message is a command for this bot, which comes as `message.command` too. */
function isOwnCommand(
  { commands, own }: Receiver,
  message: EventData['message.created']['message'],
): boolean {
  if (message.senderType === 'bot') return false
  const [, name = '', bot = own.id] = COMMAND.exec(message.text) ?? []
  return commands.has(name) && bot.toLowerCase() === own.id
}

/** A command, and the bot that is to hear of it, which stands behind the name; a bot that is mentioned later is none. */
const COMMAND = /^\/([a-z][a-z0-9_-]*)(?:\s+<@(b@[0-9a-fA-F-]{36})>)?(?:\s|$)/

/** The member behind an id; by the id alone where there is no such member any more. */
async function memberOf({ parley, own }: Receiver, memberId: string) {
  const member = await orUndefined(parley.readMember({ params: { memberId } }))
  return authorOf({ id: memberId, name: member?.name ?? memberId, isBot: memberId.startsWith('b@') }, own.id)
}

function actorOf({ type, data }: ParleyEvent): string | undefined {
  if (type === 'message.created' || type === 'message.updated') return data.message.senderId
  if (type === 'message.deleted') return data.deletedBy
  return 'userId' in data ? data.userId : undefined
}

function askedIn({ type, data }: ParleyEvent): Turn['asked'] {
  if (type === 'message.created') {
    const { id: messageId, topicId, senderId: userId } = data.message
    return { userId, topicId, messageId }
  }
  if (type === 'message.command') {
    const { messageId, topicId, userId } = data
    return { userId, topicId, messageId }
  }
  if (type !== 'message.action') return undefined
  const { actionId, messageId, topicId, userId } = data
  return { userId, topicId, messageId, actionId }
}
