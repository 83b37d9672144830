import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { IncomingSource } from '../../contract/incoming.ts'
import { LIMITS } from '../../contract/limits.ts'
import { sendMessage } from '../../contract/messages.ts'
import type { CallReason } from '../../contract/people/incoming-webhooks.ts'
import type { RefusalCode } from '../../contract/refusals/index.ts'
import { type NewCall, recordCall, secretContext } from '../actions/bots/incoming-webhooks.ts'
import { holdMessage } from '../actions/messages/scheduled-messages.ts'
import { isPermitted } from '../auth/bots.ts'
import type { Identity } from '../auth/identity.ts'
import type { Caller } from '../caller.ts'
import type { Queryable } from '../db/database.ts'
import { Refusal, refusal, TemporaryRefusal, tooMany } from '../errors.ts'
import { takeRequest } from '../http/bot-admission.ts'
import { spendMessage } from '../http/bot-budget.ts'
import { refuseLoop } from '../http/bot-loop.ts'
import { rawBody } from '../http/request-body.ts'
import { type IdempotentRequest, type WireAnswer, writeOnce } from '../idempotency/kept-answers.ts'
import { sha256 } from '../ids.ts'
import { readPayload } from '../incoming-webhooks/body.ts'
import { render, sourceOf } from '../incoming-webhooks/formats.ts'
import { cut } from '../incoming-webhooks/markdown.ts'
import type { Payload } from '../incoming-webhooks/payload.ts'
import { isProven } from '../incoming-webhooks/proof.ts'
import type { Parley } from '../parley.ts'
import { type Address, findAddress, membersAmong } from '../queries/bots/incoming-webhooks.ts'
import { mentionsIn } from '../text.ts'
import { HeldForReview } from '../text-check.ts'

const MINUTE_MS = 60_000
/** The status of an answer about a message that waits for a review. */
const HELD = 202
const STOPPED_RETRY_SECONDS = 300
/** Addresses whose last refusal for the rate is remembered, so that a flood writes a row a minute and not one a call. */
const MAX_REMEMBERED = 10_000

/** A refused call with its reason. The console shows more of it than the caller gets. */
class CallRefusal extends Refusal {
  readonly reason: CallReason

  constructor(reason: CallReason, code: RefusalCode, headers: Record<string, string> = {}) {
    super(code, { headers })
    this.reason = reason
  }
}

/** Unknown, revoked, switched off and out of its topic look the same from outside. */
const hidden = (reason: CallReason) => new CallRefusal(reason, 'incoming_address_not_found')

/** An admin, or the guard against loops, has stopped the bot for a while: a sender that tries again loses nothing. */
const stopped = (reason: CallReason) =>
  new CallRefusal(reason, 'incoming_bot_stopped', { 'Retry-After': String(STOPPED_RETRY_SECONDS) })

type Written = { answer: 'ok' | 'ignored'; reason?: CallReason; messageId?: string }

/** Facts about a call, collected while it is handled and shown in the console. */
type Call = { token: string; address: Address; source?: IncomingSource; event?: string }

/** The parts of a call that prove its origin. */
type Delivered = { raw: Buffer; header: Payload['header'] }

/** The addresses that other programs post to. Their path is a secret: nothing here logs it. */
export function incomingRoutes(app: FastifyInstance, parley: Parley): void {
  const calls = new WeakMap<FastifyRequest, Call>()
  const lastRateRefusals = new Map<string, number>()

  const admit = async (request: FastifyRequest) => {
    const { incomingToken = '' }: { incomingToken?: string } = Object(request.params)
    const address = await findAddress(parley.db, incomingToken, parley.clock())
    if (!address) throw refusal('incoming_address_not_found')
    calls.set(request, { token: incomingToken, address })
    await countCall(parley, `incoming:${address.id}`, parley.config.incomingRateLimitPerMinute)
  }

  const refuse = async (error: Error, request: FastifyRequest): Promise<never> => {
    const call = calls.get(request)
    if (call) {
      const { reason, status } = outcomeOf(error)
      if (status !== 429 || isFirstOfMinute(call.address.id)) {
        const detail = reason === 'unreadable' ? error.message : undefined
        await note(parley, call, { status, reason, detail })
      }
    }
    throw error
  }

  const isFirstOfMinute = (id: string): boolean => {
    const now = parley.clock()
    if (now - (lastRateRefusals.get(id) ?? 0) < MINUTE_MS) return false
    if (lastRateRefusals.size >= MAX_REMEMBERED) lastRateRefusals.clear()
    lastRateRefusals.set(id, now)
    return true
  }

  app.post(
    '/in/:incomingToken',
    { onRequest: admit, errorHandler: refuse, bodyLimit: LIMITS.jsonBodyBytes },
    async (request, reply) => {
      const call = calls.get(request)
      if (!call) throw new Error('an admitted call has an address')
      const { answer, reason, messageId } = await receive(parley, call, request, reply)
      await note(parley, call, { status: 200, reason, messageId })
      return reply.header('Content-Type', 'text/plain; charset=utf-8').send(answer)
    },
  )
}

/** Proof (401), whether the bot may write (404, 503), its limit (429), then what the call says (400). */
async function receive(
  parley: Pick<
    Parley,
    | 'botBudgets'
    | 'botLoops'
    | 'clock'
    | 'config'
    | 'db'
    | 'identities'
    | 'messages'
    | 'rateLimiter'
    | 'secrets'
  >,
  call: Call,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Written> {
  const { address } = call
  const { topicId } = address
  const raw = rawBody(request)
  const header = headersOf(request)
  const delivered = { raw, header }
  refuseUnproven(parley, address, delivered)
  const identity = await admitBot(parley, address)
  const allowance = await takeRequest(parley, identity)
  if (allowance?.allowed === false) throw tooMany(allowance.resetMs)

  const payload = { body: readPayload(raw, request.headers['content-type']), header }
  call.source = sourceOf(address.format, payload)
  const rendered = render(call.source, payload, address.template ?? undefined)
  call.event = rendered.event
  if ('ignored' in rendered) return { answer: 'ignored', reason: 'ignored' }

  const text = await mentioningMembers(parley, address, rendered.text)
  const repeat = repeatOf(address, header, raw)
  const isGone = () => reply.raw.destroyed
  const sender = senderOf(parley, call, delivered, identity)
  await refuseLoop(parley, sender, repeat).catch(hideRefusal)
  let messageId: string | undefined
  const {
    status,
    payload: kept,
    refused,
  } = await spendMessage(parley, identity, repeat, async () => {
    const message = { topicId, text }
    const answer = await parley.messages
      .send(sender, message, { repeat, isGone })
      .catch((error: unknown) => keepHeld(parley, sender, message, repeat, error))
      .catch(hideRefusal)
    if ('kept' in answer) return answer.kept
    messageId = answer.sent.id
    return { status: 200, payload: '' }
  })
  if (messageId !== undefined) return { answer: 'ok', messageId }
  if (status === HELD) return { answer: 'ok', reason: 'held' }
  if (status === 400 && refused) throw new Refusal(refused.code, { text: JSON.parse(String(kept)) })
  if (status >= 300) throw hidden('not_member')
  return { answer: 'ok', reason: 'repeated', messageId: Object(JSON.parse(String(kept))).id }
}

/** Keeps a message that the organization's message check holds for a review, as one that the bot sends by itself. */
async function keepHeld(
  { db, secrets }: Pick<Parley, 'db' | 'secrets'>,
  sender: Caller,
  message: { topicId: string; text: string },
  repeat: IdempotentRequest | undefined,
  error: unknown,
): Promise<{ kept: WireAnswer }> {
  if (!(error instanceof HeldForReview)) throw error
  const { reason } = error
  const kept = await db.writeAs(sender, (tx) =>
    writeOnce(tx, secrets, repeat, async () => {
      const held = await holdMessage(tx, sender, message, reason)
      return { status: HELD, payload: JSON.stringify(held) }
    }),
  )
  return { kept }
}

/** A header with several values counts as missing, because it is unclear which one applies. */
const headersOf =
  ({ headers }: FastifyRequest): Payload['header'] =>
  (name) => {
    const value = headers[name]
    return typeof value === 'string' ? value : ''
  }

function refuseUnproven(
  { secrets, clock }: Pick<Parley, 'clock' | 'secrets'>,
  { id, secret }: Address,
  delivered: Delivered,
): void {
  if (secret === null) return
  const known = secrets.decrypt(secret, secretContext(id)).toString()
  if (!isProven(known, { ...delivered, now: clock() }))
    throw new CallRefusal('unproven', 'incoming_signature_invalid')
}

/** A call counts as the bot's own: the bot must be allowed to write, and its organization has one budget. */
async function admitBot({ identities }: Pick<Parley, 'identities'>, address: Address): Promise<Identity> {
  const found = await identities.byBotId(address.botId)
  return requireMember(found && (await identities.judge(found, requireWriter)), address)
}

function requireWriter(bot: Identity): Identity {
  if (!bot.active) throw hidden('bot_inactive')
  if (bot.isPaused) throw stopped('bot_paused')
  const scopes = bot.credential === 'oauth' ? bot.scopes : undefined
  if (!isPermitted({ identity: bot, scopes }, sendMessage)) throw hidden('bot_not_permitted')
  return bot
}

function requireMember(bot: Identity | undefined, { isMember, isArchived }: Address): Identity {
  if (!bot) throw hidden('bot_inactive')
  if (!isMember) throw hidden('not_member')
  if (isArchived) throw hidden('archived')
  return bot
}

/** The bot as the sender, by the right of the address and its own: either may end before the message is written. */
function senderOf(
  parley: Pick<Parley, 'clock' | 'db' | 'identities' | 'secrets'>,
  call: Call,
  delivered: Delivered,
  identity: Identity,
): Caller {
  const { orgId, botId, authorityVersion } = identity
  const { identities } = parley
  const renew = async (db?: Queryable, isLocked = false) => {
    const address = await findAddress(db ?? parley.db, call.token, parley.clock())
    if (!address) throw refusal('incoming_address_not_found')
    refuseUnproven(parley, address, delivered)
    const bot = await (db ? identities.renewedIn(db, identity, isLocked) : identities.renewed(identity))
    if (bot?.authorityVersion !== authorityVersion) identities.drop(botId)
    const writer = requireMember(bot && requireWriter(bot), address)
    return senderOf(parley, { ...call, address }, delivered, writer)
  }
  const version = Math.min(call.address.authorityVersion, authorityVersion)
  return { orgId, profileId: botId, authority: { version, renew } }
}

async function countCall(
  { rateLimiter }: Pick<Parley, 'rateLimiter'>,
  name: string,
  limit: number,
): Promise<void> {
  if (limit <= 0) return
  const { allowed, resetMs } = await rateLimiter.take(name, limit)
  if (!allowed) throw tooMany(resetMs)
}

/** Mentions of others are text: the sender cannot know who is in the topic now. */
async function mentioningMembers(
  { db }: Pick<Parley, 'db'>,
  address: Address,
  text: string,
): Promise<string> {
  const mentioned = mentionsIn(text)
  const members = await membersAmong(address, db, mentioned)
  const strangers = mentioned.filter((id) => !members.has(id))
  const told = strangers.reduce((one, id) => one.replace(new RegExp(`<@(?=${id}>)`, 'gi'), '<\\@'), text)
  return cut(told, LIMITS.messageText - 1) // each of them has become longer by a character
}

/**
 * A delivery that comes again is known by the id that its source gives it, which stays the same; with a key of the sender's
 * own the content must be the same, too. GitLab gives events that lead to each other one id.
 */
function repeatOf(
  { orgId, id, botId: owner }: Address,
  header: Payload['header'],
  raw: Buffer,
): IdempotentRequest | undefined {
  const named = (kind: string, given: string, hash: Buffer) => ({
    orgId,
    owner,
    key: `incoming ${id} ${kind} ${sha256(given).toString('base64url')}`,
    requestHash: hash,
  })
  const delivery =
    header('x-github-delivery') || (header('sentry-hook-resource') === '' ? '' : header('request-id'))
  if (delivery !== '') return named('delivery', delivery, sha256(delivery))
  const key = header('idempotency-key')
  if (key !== '') return named('key', key, sha256(raw))
  const event = header('x-gitlab-event-uuid')
  if (event !== '') return named('gitlab', `${event} ${sha256(raw).toString('hex')}`, sha256(event))
  return undefined
}

/** The bot has left the topic, or it was archived, since the address was looked up. */
function hideRefusal(error: unknown): never {
  if (error instanceof CallRefusal) throw error
  if (error instanceof Refusal && error.status === 404) throw hidden('not_member')
  if (error instanceof TemporaryRefusal && error.code === 'message_check_away') throw error
  if (error instanceof TemporaryRefusal) throw stopped('bots_stopped')
  if (error instanceof Refusal && error.status === 403) throw hidden('archived')
  throw error
}

/** The outcome of a refused call, for the console. */
function outcomeOf(error: Error): { status: number; reason: CallReason } {
  if (error instanceof CallRefusal) return error
  const status = error instanceof Refusal ? error.status : Number(Object(error).statusCode)
  if (status === 429)
    return {
      status,
      reason: error instanceof Refusal && error.code === 'bot_budget_spent' ? 'budget' : 'rate',
    }
  if (status >= 400 && status < 500) return { status: 400, reason: 'unreadable' }
  return { status: status === 503 ? 503 : 500, reason: 'failed' }
}

/** A failure to record does not change the outcome of the call. */
async function note(
  { db, clock, log }: Pick<Parley, 'clock' | 'db' | 'log'>,
  { address, source, event }: Call,
  outcome: Pick<NewCall, 'status' | 'reason' | 'detail' | 'messageId'>,
): Promise<void> {
  const { isFormer } = address
  await recordCall(db, address, { at: clock(), source, event, isFormer, ...outcome }).catch(
    (error: unknown) =>
      log.warn(
        { err: error, webhookId: address.id },
        'a call of an incoming webhook could not be written down',
      ),
  )
}
