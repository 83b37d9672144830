import { setTimeout as wait } from 'node:timers/promises'
import { LIMITS } from '../../../contract/limits.ts'
import { waitForUpdates } from '../../../contract/people/waiting.ts'
import type { PersonCaller } from '../../auth/sessions.ts'
import { unauthorized } from '../../errors.ts'
import { offsetGone, readOffset, writeOffset } from '../../events/offsets.ts'
import { json } from '../../http/answers.ts'
import type { RunForPerson } from '../../http/mirrored-api.ts'
import { wireOf } from '../../http/wire.ts'
import type { Parley } from '../../parley.ts'
import { forPeople, withLinks } from '../../presenters/event-links.ts'
import { type AssistantPage, readAssistantUpdates } from '../../queries/accounts/assistants.ts'
import { readLastSeq } from '../../queries/events/updates.ts'

/** Events searched by one read: most of a busy log may be for others. */
const SPAN = 5000
/** Every event of the organization wakes the waiting; events within this time are looked at together. */
const COALESCE_MS = 100

const wire = wireOf(waitForUpdates)

/** Events in the topics of a person, for their assistant: at once, or when there are any, or when its time is up. */
export const personUpdates =
  (parley: Pick<Parley, 'clock' | 'db' | 'links' | 'longPolls' | 'secrets' | 'tail'>): RunForPerson =>
  async (caller, given, call) => {
    const { offset = 'newest', limit = LIMITS.pageDefault, timeout = 0 } = wire.check(given).query
    const { longPolls, tail, links, secrets } = parley
    const deadline = performance.now() + timeout * 1000
    // Joined before the first read, so that no commit can fall between reading and waiting.
    const waiter = longPolls.joinForPerson(caller)
    const leaveTail = tail.follow(caller.orgId)
    call.onGone(() => waiter.end('gone'))
    try {
      let position = await startOf(parley, caller, offset)
      for (;;) {
        const page = await readNext(parley, caller, position, limit)
        position = page.position
        tail.readTo(caller.orgId, page.lastSeq)
        const left = deadline - performance.now()
        const isOver = page.updates.length > 0 || left <= 0 || (await waiter.sleep(left)) !== 'woken'
        if (!isOver) {
          await wait(COALESCE_MS)
          continue
        }
        const link = links.for(caller)
        const updates = page.updates.map(
          ({ id, type, createdAt, data }) =>
            `{"updateId":"evt_${id}","eventType":"${type}","createdAt":${createdAt},"data":${withLinks(forPeople({ type, data }), link)}}`,
        )
        const nextOffset = JSON.stringify(writeOffset(secrets, caller, position))
        return json(200, `{"updates":[${updates.join(',')}],"nextOffset":${nextOffset}}`)
      }
    } finally {
      leaveTail()
      waiter.leave()
    }
  }

/** The position of an offset. By default updates begin now; the assistant reads earlier messages as messages. */
async function startOf(
  parley: Pick<Parley, 'db' | 'secrets'>,
  caller: PersonCaller,
  offset: string,
): Promise<number> {
  if (offset === 'oldest') return 0
  return offset === 'newest' ? readLastSeq(caller, parley.db) : readOffset(caller, offset, parley)
}

type Read = AssistantPage & { position: number }

/** The next events that they may see. */
async function readNext(
  { db, clock }: Pick<Parley, 'clock' | 'db'>,
  caller: PersonCaller,
  from: number,
  limit: number,
): Promise<Read> {
  for (let position = from; ; ) {
    const page = await readAssistantUpdates(caller, db, { position, span: SPAN, limit, now: clock() })
    if (!page) throw unauthorized('The assistant was disconnected')
    if (position > 0 && position < page.floorSeq) throw offsetGone()
    const last = page.updates.length === limit ? page.updates.at(-1)?.seq : undefined
    position = last ?? Math.min(Math.max(position, page.floorSeq) + SPAN, page.lastSeq)
    if (page.updates.length > 0 || position >= page.lastSeq) return { ...page, position }
  }
}
