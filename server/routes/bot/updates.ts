import { LIMITS } from '../../../contract/limits.ts'
import * as contract from '../../../contract/updates.ts'
import type { BotCaller } from '../../auth/bots.ts'
import { Refusal, unauthorized } from '../../errors.ts'
import { offsetGone, readOffset, writeOffset } from '../../events/offsets.ts'
import type { Links } from '../../files/links.ts'
import { json } from '../../http/answers.ts'
import type { BotApi } from '../../http/bot-api.ts'
import type { Parley } from '../../parley.ts'
import type { UpdatePage, UpdateRow } from '../../queries/updates.ts'

export function updateRoutes(bots: BotApi): void {
  bots.reads(contract.readUpdates, async ({ caller, query, parley, onGone }) => {
    const { offset, limit = LIMITS.pageDefault, timeout = 0 } = query
    requirePolling(caller.identity.delivery)
    const { secrets, db, links } = parley
    const start = offset === undefined ? undefined : await readOffset(caller, offset, { secrets, db })
    if (start !== undefined) parley.acknowledgements.note(caller, start)

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
      `{"updates":[${updates.map((update) => present(update, links)).join(',')}],"nextOffset":${nextOffset}}`,
    )
  })
}

type Poll = {
  start: number | undefined
  limit: number
  timeoutMs: number
  onGone(listener: () => void): void
}

async function poll(
  parley: Parley,
  caller: BotCaller,
  { start, limit, timeoutMs, onGone }: Poll,
): Promise<UpdatePage> {
  const { updates, longPolls } = parley
  const deadline = performance.now() + timeoutMs
  // Joined before the first read, so that no commit can fall between reading and waiting.
  const waiter = timeoutMs > 0 ? longPolls.join(caller) : undefined
  if (waiter) onGone(() => waiter.end('gone'))
  try {
    for (let position = start ?? 0; ; ) {
      const page = await updates.read(caller, position, limit)
      if (start !== undefined && position < page.floorSeq) throw offsetGone()
      if (page.updates.length > 0) {
        if (waiter) await requireUnchanged(parley, caller)
        if (waiter && waiter.wokenAt > 0) longPolls.onAnswered(performance.now() - waiter.wokenAt)
        return page
      }
      if (!waiter) return page
      position = page.lastSeq
      const reason = await waiter.sleep(Math.max(0, deadline - performance.now()), position)
      if (reason !== 'woken') return page
      await requireUnchanged(parley, caller) // what woke it may have been a change of the bot itself
    }
  } finally {
    waiter?.leave()
  }
}

/** The bot may have been deactivated, or switched to webhooks, while its poll waited. */
async function requireUnchanged({ identities }: Parley, { profileId }: BotCaller): Promise<void> {
  const identity = await identities.byBotId(profileId)
  if (!identity?.active) throw unauthorized('The bot was deactivated')
  requirePolling(identity.delivery)
}

function requirePolling(delivery: 'polling' | 'webhook'): void {
  if (delivery !== 'polling') throw new Refusal(409, 'delivery mode is not polling')
}

function present({ id, type, created_at, data }: UpdateRow, links: Links): string {
  return `{"updateId":"evt_${id}","eventType":"${type}","createdAt":${created_at},"data":${links.refresh(data)}}`
}
