import type { Agent } from 'undici'
import { checkWebhookUrl, type GuardOptions, openGuardedAgent } from '../network/guard.ts'
import type { Parley } from '../parley.ts'
import { type Attempt, post, STOPPING } from '../webhooks/call.ts'
import { nextAttemptAt } from '../webhooks/schedule.ts'
import { count, tally } from '../webhooks/tally.ts'
import { Worker } from '../worker.ts'
import { type NoticeMessage, presentNotice, presentReminder, readNoticeMessages } from './notices.ts'
import {
  type ClaimedPush,
  claimPushes,
  dropPush,
  endSubscription,
  finishPush,
  isPushDue,
  openSubscription,
  postponePush,
  type Reader,
  type ReadyPush,
  readReady,
  withdrawRead,
} from './push-queue.ts'
import { encryptForBrowser, pushTopic, vapidHeader } from './web-push.ts'

type Parts = Pick<
  Parley,
  'clock' | 'config' | 'db' | 'ephemeral' | 'log' | 'lookout' | 'pushKey' | 'secrets' | 'workers'
>

/** Seconds from one failed attempt to the next; people not reached after the last find it in the list. */
const RETRY_SCHEDULE = [10, 60, 300, 1800, 7200]
const ATTEMPT_LIMIT_MS = 15_000
/** Added to the limit of an attempt: another node sends a dead one's pushes after that. */
const LEASE_MARGIN_MS = 15_000
const AT_A_TIME = 50
const POLL_MS = 1000
/** Interval of looking for read messages whose announcement was missed, to withdraw their notifications. */
const LOOK_FOR_READ_MS = 30_000
/** Time in which readers are gathered: thousands of people open fifty conversations a second. */
const GATHER_MS = 200
/** Time for which a push service keeps it for an absent browser. */
const KEPT_SECONDS = 86_400
/** Push services that stop serving a browser which gets messages and shows nothing. */
const ONLY_VISIBLE = /(^|\.)push\.apple\.com$/
const NO_LONGER_THERE = [404, 410]

export type PushSenderOptions = GuardOptions & { pollMs?: number; retrySchedule?: readonly number[] }

/** Sends notifications to browsers, each once, and withdraws those that were read elsewhere. */
export class PushSender {
  readonly #parley: Parts
  readonly #agent: Agent
  readonly #retrySchedule: readonly number[]
  readonly #worker: Worker
  readonly #withdrawer: Worker
  readonly #calls = new Map<AbortController, Promise<void>>()
  readonly #readers = new Map<string, Reader>()
  #gathering: NodeJS.Timeout | undefined
  #lookedForReadAt = Number.NEGATIVE_INFINITY
  #stopping = false

  constructor(parley: Parts, { pollMs = POLL_MS, retrySchedule, ...guard }: PushSenderOptions = {}) {
    this.#parley = parley
    this.#retrySchedule = retrySchedule ?? RETRY_SCHEDULE
    this.#agent = openGuardedAgent(parley.config.pushNetworks, guard)
    this.#worker = new Worker('push messages', parley, pollMs, () => this.#sendDue(), { isDue: isPushDue })
    this.#withdrawer = new Worker('read notifications', parley, LOOK_FOR_READ_MS, () => this.#withdraw())
    parley.ephemeral.onEvent(({ type, orgId, profileId }) => {
      if (type === 'state' && profileId !== undefined) this.#noteReader({ orgId, profileId })
    })
  }

  wake(): void {
    this.#worker.wake()
  }

  /** Pushes under way are given up; they go out again once their lease has ended. */
  async stop(): Promise<void> {
    this.#stopping = true
    clearTimeout(this.#gathering)
    await Promise.all([this.#worker.stop(), this.#withdrawer.stop()])
    for (const call of this.#calls.keys()) call.abort(STOPPING)
    await Promise.all(this.#calls.values())
    await this.#agent.destroy()
  }

  #noteReader(reader: Reader): void {
    if (this.#stopping) return
    this.#readers.set(`${reader.orgId} ${reader.profileId}`, reader)
    this.#gathering ??= setTimeout(() => {
      this.#gathering = undefined
      this.#withdrawer.wake()
    }, GATHER_MS)
  }

  /**
   * Withdraws notifications that known readers have read, and now and then those of all readers. Sending does not wait
   * for it.
   */
  async #withdraw(): Promise<void> {
    const { db, clock } = this.#parley
    const readers = [...this.#readers.values()]
    this.#readers.clear()
    const isLongAgo = readers.length === 0 || performance.now() - this.#lookedForReadAt > LOOK_FOR_READ_MS
    const isClosing = await withdrawRead(db, isLongAgo ? undefined : readers, clock())
    if (isLongAgo) this.#lookedForReadAt = performance.now()
    if (isClosing) this.#worker.wake()
  }

  async #sendDue(): Promise<void> {
    const { db, clock } = this.#parley
    const now = clock()
    const limit = AT_A_TIME - this.#calls.size
    if (limit <= 0 || this.#stopping) return
    const until = now + ATTEMPT_LIMIT_MS + LEASE_MARGIN_MS
    const claimed = await claimPushes(db, { now, until, limit })
    if (claimed.length === 0) return
    const ready = new Map((await readReady(db, claimed, now)).map((push) => [nameOf(push), push]))
    const messages = await readNoticeMessages(
      db,
      claimed.filter(({ state }) => state === 'due'),
    )
    const byId = new Map(messages.map((message) => [message.id, message]))
    for (const push of claimed) this.#start(push, ready.get(nameOf(push)), byId.get(push.messageId))
  }

  #start(push: ClaimedPush, ready: ReadyPush | undefined, message: NoticeMessage | undefined): void {
    const call = new AbortController()
    const ended = this.#attempt(push, ready, message, call)
      .catch((error: unknown) => {
        this.#parley.log.error({ err: error }, 'a push message could not be sent; it will be tried again')
      })
      .finally(() => {
        this.#calls.delete(call)
        if (!this.#stopping) this.#worker.wake()
      })
    this.#calls.set(call, ended)
  }

  async #attempt(
    push: ClaimedPush,
    ready: ReadyPush | undefined,
    message: NoticeMessage | undefined,
    call: AbortController,
  ): Promise<void> {
    const { db, secrets, config } = this.#parley
    const content = ready && contentOf(push, ready, message)
    // A push that ends its node each time, or cannot be encrypted, is not tried for ever.
    const isHopeless = push.attempts > this.#retrySchedule.length + 1
    if (!ready || !content || isHopeless) return dropPush(db, push)
    const { endpoint, keys } = openSubscription(secrets, ready)
    const mistake = checkWebhookUrl(config, config.pushNetworks, endpoint)
    if (mistake !== undefined) return endSubscription(db, push.sessionId, ready.subscription)
    const url = new URL(endpoint)
    if (push.state === 'closing' && ONLY_VISIBLE.test(url.hostname)) return dropPush(db, push)
    const request = {
      headers: this.#headersFor(push, url, keys.auth),
      body: encryptForBrowser(JSON.stringify(content), keys),
    }
    const attempt = await post(this.#agent, url, request, { limitMs: ATTEMPT_LIMIT_MS, call })
    if (!attempt) return
    count(attempt.outcome, tally.pushes)
    await this.#record(push, ready, url, attempt)
  }

  #headersFor(
    { state, topicId, messageId, isReminder }: ClaimedPush,
    url: URL,
    auth: string,
  ): Record<string, string> {
    const { pushKey, clock, config } = this.#parley
    if (!pushKey) throw new Error('there is no push key')
    return {
      Authorization: vapidHeader(pushKey, url, { contact: contactOf(config), now: clock() }),
      'Content-Encoding': 'aes128gcm',
      'Content-Type': 'application/octet-stream',
      TTL: String(KEPT_SECONDS),
      Urgency: state === 'closing' ? 'low' : 'high',
      // A later message does not replace a reminder.
      Topic: pushTopic(auth, isReminder ? messageId : topicId),
    }
  }

  async #record(push: ClaimedPush, ready: ReadyPush, url: URL, attempt: Attempt): Promise<void> {
    const { db, clock, log } = this.#parley
    const { outcome, status, error, retryAfter } = attempt
    if (outcome === 'ok') {
      await finishPush(db, push)
      // The message may have been read while the push was sent.
      this.#noteReader(push)
      return
    }
    // The URL's path is a secret of the browser, so it is not logged.
    const about = { pushService: url.host, outcome, status, error }
    if ((status !== undefined && NO_LONGER_THERE.includes(status)) || outcome === 'blocked') {
      log.info(about, 'a browser is not to be reached any more; it is no longer notified')
      return endSubscription(db, push.sessionId, ready.subscription)
    }
    const failure = { failures: push.attempts - 1, now: clock(), retryAfter }
    const dueAt = nextAttemptAt(this.#retrySchedule, failure)
    log.warn({ ...about, retryAt: dueAt }, 'a push message was not taken')
    if (dueAt === undefined) await dropPush(db, push)
    else await postponePush(db, push, dueAt)
  }
}

const nameOf = ({ sessionId, messageId }: { sessionId: string; messageId: string }) =>
  `${sessionId} ${messageId}`

/** The content for the browser's service worker; undefined if there is nothing to tell any more. */
function contentOf(push: ClaimedPush, { isWanted, waiting }: ReadyPush, message: NoticeMessage | undefined) {
  const { state, topicId, messageId, isReminder } = push
  if (state === 'closing') return { kind: 'close', topicId, messageId, waiting }
  if (!isWanted || !message) return undefined
  return { kind: 'show', ...(isReminder ? presentReminder(message) : presentNotice(message)), waiting }
}

function contactOf({ pushContact, baseUrl, mailFrom }: Parley['config']): string {
  if (pushContact !== undefined) return pushContact
  return baseUrl.startsWith('https:')
    ? baseUrl
    : `mailto:${/([^\s<>]+@[^\s<>]+)/.exec(mailFrom)?.[1] ?? mailFrom}`
}
