import { LIMITS } from '../../../contract/limits.ts'
import * as contract from '../../../contract/updates.ts'
import type { BotCaller } from '../../auth/bots.ts'
import type { Identity } from '../../auth/identity.ts'
import { Refusal, refusal, unauthorized } from '../../errors.ts'
import { offsetGone, readOffset, writeOffset } from '../../events/offsets.ts'
import type { Link } from '../../files/links.ts'
import { json } from '../../http/answers.ts'
import type { BotApi } from '../../http/bot-api.ts'
import type { Parley } from '../../parley.ts'
import { withLinks } from '../../presenters/event-links.ts'
import {
  readConfirmedSeq,
  readLastSeq,
  type UpdatePage,
  type UpdateRow,
} from '../../queries/events/updates.ts'

export function updateRoutes(bots: BotApi): void {
  bots.reads(contract.readUpdates, async ({ caller, query, parley, onGone }) => {
    const { limit = LIMITS.pageDefault, timeout = 0 } = query
    await parley.identities.judge(caller.identity, requirePolling)
    const { secrets, links } = parley
    const link = links.for(caller)
    const start = await startOf(parley, caller, query)

    const { updates, lastSeq } = await poll(parley, caller, {
      start,
      limit,
      timeoutMs: timeout * 1000,
      onGone,
    })
    const next = updates.length === limit ? (updates.at(-1)?.seq ?? lastSeq) : lastSeq
    const nextOffset = JSON.stringify(writeOffset(secrets, caller, next))
    // The payloads are JSON already: they are put in as they are, but for fresh links.
    return json(
      200,
      `{"updates":[${updates.map((update) => present(update, link)).join(',')}],"nextOffset":${nextOffset}}`,
    )
  })
}

type Start = {
  position: number
  /** Whether the bot named this position itself: then it must still exist. */
  isNamed: boolean
}

type StartParts = Pick<Parley, 'acknowledgements' | 'db' | 'secrets'>

/** The position to go on from: the one of the offset, which confirms all before it unless `confirm` names less, or else the confirmed one. */
async function startOf(
  parley: StartParts,
  caller: BotCaller,
  { offset, confirm }: { offset?: string; confirm?: string },
): Promise<Start> {
  const { secrets, db, acknowledgements } = parley
  if (confirm !== undefined && confirm !== 'nothing') await confirmUpTo(parley, caller, confirm)
  if (offset === 'oldest') return { position: 0, isNamed: false }
  if (offset === undefined) {
    // Asked before the database is: a position noted between the two must be found in one of them.
    const noted = acknowledgements.noted(caller)
    return { position: Math.max(noted, await readConfirmedSeq(caller, db)), isNamed: false }
  }
  const position =
    offset === 'newest' ? await readLastSeq(caller, db) : await readOffset(caller, offset, { secrets, db })
  if (confirm === undefined) acknowledgements.note(caller, position)
  return { position, isNamed: true }
}

/** Notes what a bot has finished. Positions before the kept events say nothing new. */
async function confirmUpTo(
  { acknowledgements, ...parts }: StartParts,
  caller: BotCaller,
  confirm: string,
): Promise<void> {
  try {
    acknowledgements.note(caller, await readOffset(caller, confirm, parts))
  } catch (error) {
    if (!(error instanceof Refusal && error.code === 'offset_gone')) throw error
  }
}

type PollParts = Pick<Parley, 'identities' | 'updates' | 'longPolls' | 'tail' | 'botLoops'>
type Poll = {
  start: Start
  limit: number
  timeoutMs: number
  onGone(listener: () => void): void
}

/** The events after a position, as soon as there are some, or none when its time is up. */
export async function poll(
  parley: PollParts,
  caller: BotCaller,
  { start, limit, timeoutMs, onGone }: Poll,
): Promise<UpdatePage> {
  const { updates, longPolls, tail } = parley
  // One that does not wait reads the log itself: this node may not have heard of the newest yet.
  if (timeoutMs === 0) {
    const page = refuseGone(start, await updates.read(caller, start.position, limit))
    if (await isPaused(parley, caller.identity)) return heldBack(start.position, page)
    noteHeard(parley, caller, page)
    return page
  }
  const deadline = performance.now() + timeoutMs
  // Joined before the first read, so that no commit can fall between reading and waiting.
  const waiter = longPolls.join(caller)
  const leaveTail = tail.follow(caller.orgId)
  onGone(() => waiter.end('gone'))
  try {
    await requireUnchanged(parley, caller) // a change between admission and joining woke no poll
    for (let { position } = start; ; ) {
      const page =
        tail.read(caller.orgId, caller.profileId, position, limit) ??
        refuseGone(start, await updates.read(caller, position, limit))
      tail.readTo(caller.orgId, page.lastSeq)
      const isHeld =
        page.updates.length > 0 && (await isPaused(parley, await requireUnchanged(parley, caller)))
      if (page.updates.length > 0 && !isHeld) {
        noteHeard(parley, caller, page)
        if (waiter.wokenAt > 0) longPolls.onAnswered(performance.now() - waiter.wokenAt)
        return page
      }
      const nothing = isHeld ? heldBack(position, page) : page
      position = nothing.lastSeq
      const reason = await waiter.sleep(Math.max(0, deadline - performance.now()))
      if (reason !== 'woken') return nothing
      await requireUnchanged(parley, caller) // a change of the bot itself may have woken it
    }
  } finally {
    leaveTail()
    waiter.leave()
  }
}

function noteHeard({ botLoops }: PollParts, { orgId, profileId: botId }: BotCaller, page: UpdatePage): void {
  const last = page.updates.at(-1)
  if (last) botLoops.heard({ orgId, botId }, last.seq)
}

function refuseGone({ position, isNamed }: Start, page: UpdatePage): UpdatePage {
  if (isNamed && position < page.floorSeq) throw offsetGone()
  return page
}

/** The page for a paused bot: no events, and its own position, or the oldest that is kept. It finds all of it when it goes on. */
const heldBack = (position: number, page: UpdatePage): UpdatePage => ({
  ...page,
  updates: [],
  lastSeq: Math.max(position, page.floorSeq),
})

/** The bot may have been deactivated, paused, given a new secret, or switched to webhooks, while its poll waited. */
async function requireUnchanged(
  { identities }: PollParts,
  { profileId, prove }: BotCaller,
): Promise<Identity> {
  const identity = await identities.byBotId(profileId)
  if (!identity) throw unauthorized('The bot was deactivated')
  return identities.judge(identity, (bot) => requirePolling(prove(bot)))
}

/** Whether the bot is paused according to the database. */
async function isPaused({ identities }: PollParts, identity: Identity): Promise<boolean> {
  return identity.isPaused && (await identities.renewed(identity))?.isPaused !== false
}

function requirePolling(identity: Identity): Identity {
  if (identity.delivery !== 'polling') throw refusal('polling_not_enabled')
  return identity
}

/** An event as a bot gets it, as JSON. */
export function present(update: UpdateRow, link: Link): string {
  const { id, type, createdAt } = update
  return `{"updateId":"evt_${id}","eventType":"${type}","createdAt":${createdAt},"data":${withLinks(update, link)}}`
}
