import { EVENT_TYPES, type Question } from './api.ts'
import { type Client, type ClientOptions, connect, sleep } from './client.ts'
import { type AnyEvent, dispatch, type Handlers } from './events.ts'
import { createInbox } from './inbox.ts'
import { actorOf, isBotId } from './places.ts'
import { poll } from './polling.ts'
import type { Positions } from './positions.ts'
import { type AskedQuestion, ask } from './questions.ts'
import type { EventQueue } from './queue.ts'
import { credentialsIn, isRehearsal, secretOf } from './settings.ts'
import { fetchHandler, type NodeHandler, nodeHandler } from './webhook.ts'

/** Pauses before a handler that failed gets its event again; after the last one the bot goes on without it. */
const HANDLER_WAITS = [500, 2000, 5000]
const CONCURRENCY = 8
const MAX_CONCURRENCY = 1000
/** Handled events that are remembered, to notice repeats. */
const MAX_REMEMBERED = 10_000

const SHORT_NAMES: ReadonlyMap<string, string> = new Map([
  ['message.created', 'message'],
  ['message.action', 'action'],
  ['message.command', 'command'],
])
const NAMES: readonly string[] = [...SHORT_NAMES.values(), ...EVENT_TYPES]

export type BotOptions = ClientOptions & {
  /** The store of the bot's position. Without it the server's own note counts, which may be two seconds old. */
  positions?: Positions | undefined
  /**
   * The store of webhook events: each is kept, answered, and handled afterwards. Without it a delivery is answered when
   * its handler is done, which must take less than 8 seconds.
   */
  queue?: EventQueue | undefined
  /** Number of events that are handled side by side, at most. Those of a topic or thread keep their order. Default: 8. */
  concurrency?: number | undefined
  /** Whether the bot gets the events of its own doing too, such as its messages. Default: false. */
  ownEvents?: boolean | undefined
  /** Told of what failed: a handler, for good (with its event), or a poll, which is tried again. Written to stderr unless given. */
  onError?: ((error: unknown, event?: { id: string; type: string }) => void) | undefined
  /** The server's `WEBHOOK_HEADER_PREFIX`. Default: `X-Service-`. */
  headerPrefix?: string | undefined
}

export type Bot = {
  parley: Client
  /** Whether it rehearses: it hears past events, one after the other, and what it does by `parley` is kept and not sent. */
  readonly rehearsing: boolean
  /**
   * `message` is another member's message, `action` an answer to this bot's buttons, `command` a `/` command for it;
   * the others are the events of the API. One handler for each.
   */
  on<Name extends keyof Handlers>(name: Name, handler: NonNullable<Handlers[Name]>): void
  /**
   * Polls for events until `stop()`; continues where it stopped. With a `queue` it polls for nothing: it works off what
   * an earlier process left there, and ends with `stop()` too. A rehearsal polls, and ends when it has heard everything.
   */
  start(): Promise<void>
  /** Asks people, and waits for their answer. Name the question with `key`: a bot that was restarted goes on waiting for it. */
  ask(question: AskedQuestion, waiting?: { signal?: AbortSignal }): Promise<Question>
  /** Ends `start()` once the handlers that run are done. Events that were not handled come again after the next start. */
  stop(): void
  /** Handler for `Deno.serve`, `Bun.serve` and workers. */
  fetchHandler: (request: Request) => Promise<Response>
  /** Handler for Node's `createServer`. */
  nodeHandler: NodeHandler
}

/** A bot that handles events side by side, by polling or by webhook; those of a topic or thread in their order. */
export function createBot(options: BotOptions = {}): Bot {
  const { ownEvents = false, headerPrefix } = options
  const rehearsing = isRehearsal(options)
  const { concurrency = CONCURRENCY } = options
  // The server knows where a rehearsal is: the position and the events of the bot that works stay as they are.
  const { positions, queue } = rehearsing ? {} : options
  const { onError = (error) => console.error(error) } = options
  if (!Number.isInteger(concurrency) || concurrency < 1 || concurrency > MAX_CONCURRENCY)
    throw new TypeError(`concurrency is a whole number from 1 to ${MAX_CONCURRENCY}`)
  const parley = connect(options)
  const handlers: Handlers = {}
  const stopping = new AbortController()
  const handled = new Set<string>()
  let me: Promise<string> | undefined

  const isHandled = (id: string) => handled.has(id)
  function remember(id: string): void {
    handled.add(id)
    const [oldest] = handled
    if (handled.size > MAX_REMEMBERED && oldest !== undefined) handled.delete(oldest)
  }

  function ownId(): Promise<string> {
    me ??= parley.readMe().then(({ id }) => id)
    me.catch(() => {
      me = undefined
    })
    return me
  }

  async function isOwn({ type, data }: AnyEvent): Promise<boolean> {
    if (ownEvents) return false
    const actor = actorOf(type, data)
    return isBotId(actor) && actor === (await ownId())
  }

  const isHeard = ({ type }: AnyEvent) =>
    [type, SHORT_NAMES.get(type)].some((name) => name !== undefined && Object.hasOwn(handlers, name))

  async function handle(event: AnyEvent): Promise<void> {
    if (isHeard(event) && !(await isOwn(event))) await dispatch(parley, handlers, event)
    remember(event.id)
  }

  /** Retries until the event is handled or has failed for good. Ends early when the bot stops. */
  async function handleForGood(event: AnyEvent): Promise<void> {
    for (const wait of rehearsing ? [undefined] : [...HANDLER_WAITS, undefined]) {
      try {
        return await handle(event)
      } catch (error) {
        if (wait === undefined) onError(error, event)
        else await sleep(wait, stopping.signal)
      }
    }
    remember(event.id)
  }

  const inbox = createInbox({ queue, concurrency, isHandled, handle, handleForGood, onError })
  const webhook = { secret: secretOf(credentialsIn(options)), headerPrefix }

  return {
    parley,
    rehearsing,

    on(name, handler) {
      if (!NAMES.includes(name))
        throw new TypeError(`There is no event "${name}". There are ${NAMES.join(', ')}.`)
      if (typeof handler !== 'function') throw new TypeError(`The handler of "${name}" is not a function.`)
      Object.assign(handlers, { [name]: handler })
    },

    async start() {
      if (!queue) {
        const { signal } = stopping
        const handle = handleForGood
        return poll({ parley, positions, concurrency, rehearsing, signal, isHandled, handle, onError })
      }
      await inbox.resume()
      if (!stopping.signal.aborted)
        await new Promise<void>((resolve) => {
          stopping.signal.addEventListener('abort', () => resolve(), { once: true })
        })
      await inbox.stop()
    },

    ask: (question, waiting = {}) => ask(parley, question, { signal: stopping.signal, ...waiting }),

    stop() {
      stopping.abort()
    },

    fetchHandler: fetchHandler(webhook, inbox.accept),
    nodeHandler: nodeHandler(webhook, inbox.accept),
  }
}
