import type { EventData, Operations, TopicContext } from './api.ts'
import { type Client, ParleyError } from './client.ts'
import { type MessageStream, openStream } from './streaming.ts'

export type Event<Type extends keyof EventData> = {
  /** The event's id, equal in each repetition. */
  id: string
  type: Type
  data: EventData[Type]
  parley: Client
}
export type MessageEvent = Event<'message.created'> & {
  message: EventData['message.created']['message']
  /**
   * Answers in the thread of the message. An event that comes twice is answered once: undefined where an earlier try has sent
   * another text already.
   */
  reply: Reply
  /** Reads the thread of the message, the messages before it, names and the text of files, cut to so many tokens. */
  context(wanted?: { tokens?: number }): Promise<TopicContext>
}
export type ActionEvent = Event<'message.action'> & {
  action: EventData['message.action']
  /** Ends the question that was answered, with `actions: null`, and can bring another text. Where every press counts, `text` alone will do. */
  edit(
    change: NonNullable<Operations['editMessage']['input']['body']>,
  ): Promise<Operations['editMessage']['answer']>
  /** Sends a note to the person who answered, visible to them alone. */
  note(text: string): Promise<void>
}
export type CommandEvent = Event<'message.command'> & {
  command: EventData['message.command']
  reply: Reply
  /** Reads the thread of the command, the messages before it, names and the text of files, cut to so many tokens. */
  context(wanted?: { tokens?: number }): Promise<TopicContext>
}
/** A text, with or without buttons. */
export type ReplyContent =
  | string
  | (Pick<Operations['sendMessage']['input']['body'], 'actions'> & { text: string })
export type Reply = {
  (content: ReplyContent): Promise<Operations['sendMessage']['answer'] | undefined>
  /** Answers bit by bit. Begun again after a crash, it goes on in the same message. */
  stream(): Promise<MessageStream>
  /** Answers under the message, as Markdown, so that only the person sees it who wrote it. The latest one counts. */
  privately(text: string): Promise<void>
}

export type Handlers = { [Type in keyof EventData]?: (event: Event<Type>) => unknown } & {
  message?: (event: MessageEvent) => unknown
  action?: (event: ActionEvent) => unknown
  command?: (event: CommandEvent) => unknown
}
export type AnyEvent = { id: string; type: string; data: unknown }

/** Calls the handlers of an event, one after the other. */
export async function dispatch(
  parley: Client,
  handlers: Handlers,
  { id, type, data }: AnyEvent,
): Promise<void> {
  const event = { id, type, data, parley }
  const handler = Object(handlers)[type]
  if (handler) await handler(event)
  if (type === 'message.action' && handlers.action)
    await handlers.action(actionEvent(parley, id, data as EventData['message.action'])) // the server's promise for this type
  if (type === 'message.command' && handlers.command) {
    const command = data as EventData['message.command'] // the server's promise for this type
    const place = { topicId: command.topicId, parentId: command.parentId ?? command.messageId }
    const context = contextOf(parley, command.topicId, command.messageId)
    const reply = replyIn(parley, id, place, { messageId: command.messageId, memberId: command.userId })
    await handlers.command({ id, type, data: command, parley, command, reply, context })
  }
  if (type !== 'message.created' || !handlers.message) return
  const { message } = data as EventData['message.created'] // the server's promise for this type
  if (message.isSystem) return
  const place = { topicId: message.topicId, parentId: message.parentId ?? message.id }
  const reply = replyIn(parley, id, place, { messageId: message.id, memberId: message.senderId })
  const context = contextOf(parley, message.topicId, message.id)
  const created = data as EventData['message.created']
  await handlers.message({ id, type, data: created, parley, message, reply, context })
}

const contextOf =
  (parley: Client, topicId: string, message: string) =>
  ({ tokens }: { tokens?: number } = {}): Promise<TopicContext> =>
    parley.readContext({ params: { topicId }, query: { message, ...(tokens !== undefined && { tokens }) } })

/** Each answer to an event has its own key, derived from the event's id. */
function replyIn(
  parley: Client,
  id: string,
  place: { topicId: string; parentId: string },
  asked: { messageId: string; memberId: string },
): Reply {
  let replies = 0
  const nextKey = () => {
    replies += 1
    return `${id}:${replies}`
  }
  const answer = (content: ReplyContent) => {
    const said = typeof content === 'string' ? { text: content } : content
    return parley
      .sendMessage({ body: { ...place, ...said }, idempotencyKey: nextKey() })
      .catch((error: unknown) => {
        if (error instanceof ParleyError && error.code === 'idempotency_key_reused') return undefined
        throw error
      })
  }
  return Object.assign(answer, {
    stream: () => openStream(parley, place, nextKey()),
    privately: async (text: string) => {
      await parley.answerPrivately({ params: asked, body: { text } })
    },
  })
}

function actionEvent(parley: Client, id: string, action: EventData['message.action']): ActionEvent {
  const { actionId, messageId } = action
  return {
    id,
    type: 'message.action',
    data: action,
    parley,
    action,
    edit: (body) => parley.editMessage({ params: { messageId }, body }),
    note: (text) => parley.noteAction({ params: { actionId }, body: { text } }),
  }
}
