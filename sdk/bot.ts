import type { EventData, Operations } from './api.ts'
import { type Client, type ClientOptions, connect, ParleyError, sleep } from './client.ts'
import type { Positions } from './positions.ts'
import { type MessageStream, openStream } from './streaming.ts'
import { fetchHandler, nodeHandler, type WebhookEvent } from './webhook.ts'

const POLL_SECONDS = 30
/** Pauses before a handler that failed gets its event again; after the last one the bot goes on without it. */
const HANDLER_WAITS = [500, 2000, 5000]
const POLL_AGAIN_MS = 1000
/** Handled webhook events that are remembered, to notice repeats. */
const MAX_REMEMBERED = 10_000

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
}
/** A text, with or without buttons. */
export type ReplyContent =
  | string
  | (Pick<Operations['sendMessage']['input']['body'], 'actions'> & { text: string })
export type Reply = {
  (content: ReplyContent): Promise<Operations['sendMessage']['answer'] | undefined>
  /** Answers bit by bit. Begun again after a crash, it goes on in the same message. */
  stream(): Promise<MessageStream>
}

export type BotOptions = ClientOptions & {
  /** The store of the bot's position. Without it the server's own note counts, which may be two seconds old. */
  positions?: Positions
  /** Told of what failed: a handler, for good (with its event), or a poll, which is tried again. Written to stderr unless given. */
  onError?: (error: unknown, event?: { id: string; type: string }) => void
  headerPrefix?: string
}

type Handlers = { [Type in keyof EventData]?: (event: Event<Type>) => unknown } & {
  message?: (event: MessageEvent) => unknown
  action?: (event: ActionEvent) => unknown
  command?: (event: CommandEvent) => unknown
}
type AnyEvent = { id: string; type: string; data: unknown }

/** A bot that handles one event after the other, in order, by polling or by webhook. */
export function createBot(options: BotOptions) {
  const { positions, onError = (error) => console.error(error) } = options
  const parley = connect(options)
  const handlers: Handlers = {}
  const stopping = new AbortController()
  let me: Promise<string> | undefined

  const ownId = () => {
    me ??= parley.readMe().then(({ id }) => id)
    me.catch(() => {
      me = undefined
    })
    return me
  }

  async function handle({ id, type, data }: AnyEvent): Promise<void> {
    const event = { id, type, data, parley }
    const handler = Object(handlers)[type]
    if (handler) await handler(event)
    if (type === 'message.action' && handlers.action)
      await handlers.action(actionEvent(id, data as EventData['message.action'])) // the server's promise for this type
    if (type === 'message.command' && handlers.command) {
      const command = data as EventData['message.command'] // the server's promise for this type
      const place = { topicId: command.topicId, parentId: command.parentId ?? command.messageId }
      await handlers.command({ id, type, data: command, parley, command, reply: replyIn(id, place) })
    }
    if (type !== 'message.created' || !handlers.message) return
    const { message } = data as EventData['message.created'] // the server's promise for this type
    if (message.isSystem || message.senderId === (await ownId())) return
    const place = { topicId: message.topicId, parentId: message.parentId ?? message.id }
    const reply = replyIn(id, place)
    await handlers.message({ id, type, data: data as EventData['message.created'], parley, message, reply })
  }

  /** Each answer to an event has its own key, derived from the event's id. */
  function replyIn(id: string, place: { topicId: string; parentId: string }): Reply {
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
    return Object.assign(answer, { stream: () => openStream(parley, place, nextKey()) })
  }

  function actionEvent(id: string, action: EventData['message.action']): ActionEvent {
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

  /** Retries until the event is handled or has failed for good. Ends early when the bot stops. */
  async function handlePatiently(event: AnyEvent): Promise<void> {
    for (let tries = 0; ; tries++) {
      try {
        return await handle(event)
      } catch (error) {
        const wait = HANDLER_WAITS[tries]
        if (wait === undefined) return onError(error, event)
        await sleep(wait, stopping.signal)
      }
    }
  }

  async function pollOnce(offset: string | undefined): Promise<string> {
    const query = { timeout: POLL_SECONDS, ...(offset !== undefined && { offset }) }
    const { updates, nextOffset } = await parley.readUpdates({ query, signal: stopping.signal })
    for (const { updateId, eventType, data } of updates) {
      await handlePatiently({ id: updateId, type: eventType, data })
      await positions?.write(updateId)
    }
    if (nextOffset !== offset) await positions?.write(nextOffset)
    return nextOffset
  }

  /** Handled already, or on the way: a repeat waits for the first and has its fate. */
  const remembered = new Map<string, Promise<void>>()
  let last: Promise<void> = Promise.resolve()

  function handleOnce(event: WebhookEvent): Promise<void> {
    const known = remembered.get(event.id)
    if (known) return known
    const handled = last.then(() => handle(event))
    last = handled.catch(() => {})
    remembered.set(event.id, handled)
    handled.catch((error: unknown) => {
      remembered.delete(event.id)
      onError(error, event)
    })
    for (const id of remembered.keys()) {
      if (remembered.size <= MAX_REMEMBERED) break
      remembered.delete(id)
    }
    return handled
  }

  const secret = 'clientSecret' in options ? options.clientSecret : options.apiSecret
  const webhook = {
    secret,
    ...(options.headerPrefix !== undefined && { headerPrefix: options.headerPrefix }),
  }

  return {
    parley,

    /**
     * `message` is another member's message, `action` an answer to this bot's buttons, `command` a `/` command for it;
     * the others are the events of the API. One handler for each.
     */
    on<Name extends keyof Handlers>(name: Name, handler: NonNullable<Handlers[Name]>): void {
      Object.assign(handlers, { [name]: handler })
    },

    /** Polls for events until `stop()`; continues where it stopped. */
    async start(): Promise<void> {
      let offset = await positions?.read()
      while (!stopping.signal.aborted) {
        try {
          offset = await pollOnce(offset)
        } catch (error) {
          if (stopping.signal.aborted) return
          onError(error)
          // Away for longer than events are kept: the events left are better than nothing.
          if (error instanceof ParleyError && error.code === 'offset_gone') offset = 'oldest'
          else if (error instanceof ParleyError && error.status < 429) throw error
          else await sleep(POLL_AGAIN_MS, stopping.signal).catch(() => {})
        }
      }
    },

    /** Ends `start()`. Events that were not handled come again after the next start. */
    stop(): void {
      stopping.abort()
    },

    /** Handler for `Deno.serve`, `Bun.serve` and workers: `(request: Request) => Promise<Response>`. */
    fetchHandler: fetchHandler(webhook, handleOnce),
    /** Handler for Node's `createServer`. */
    nodeHandler: nodeHandler(webhook, handleOnce),
  }
}

export type Bot = ReturnType<typeof createBot>
