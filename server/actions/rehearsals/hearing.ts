import type { EventData } from '../../../contract/events.ts'
import { LIMITS } from '../../../contract/limits.ts'
import type { BotCaller } from '../../auth/bots.ts'
import { lockRehearsal, type RehearsalCaller, type RunningRehearsal } from '../../auth/rehearsals.ts'
import type { Database, Queryable } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'
import { forPeople } from '../../presenters/event-links.ts'
import { type LoggedEvent, listEventsOf, presentMessages } from '../../queries/bots/rehearsals.ts'
import type { UpdateRow } from '../../queries/events/updates.ts'
import { forgetSayingsTo } from './sayings.ts'

/** Events that are looked through at a time, and how often in one request. */
const BATCH = 200
const BATCHES = 10

/** An event that a rehearsal gives to its bot, with what the comparison needs to know of it. */
type Hearable = {
  event: LoggedEvent
  actorId: string
  messageId: string | undefined
  threadId: string | undefined
}

/** `over`: there is nothing more to hear. */
export type Heard = { event: UpdateRow | undefined; heardSeq: number; isOver: boolean }

/**
 * Gives the next event to the bot of a rehearsal, one at a time: what the bot does belongs to the event that it has, and reads answer as
 * of then. `finished` is the number up to which it has finished. An event that it has not finished is given again, without the sayings
 * that it had.
 */
export function hearNext(
  db: Database,
  caller: RehearsalCaller,
  finished: number | undefined,
): Promise<Heard> {
  const bot: BotCaller = caller
  return db.writeBeside(bot, async (tx) => {
    const rehearsal = await lockRehearsal(tx, caller, tx.now())
    if (rehearsal.overAt !== null) return { event: undefined, heardSeq: rehearsal.heardSeq, isOver: true }
    const again = await currentOf(tx, caller, rehearsal, { finished, now: tx.now() })
    if (again) return { event: again, heardSeq: rehearsal.heardSeq, isOver: false }
    const after = rehearsal.currentSeq ?? rehearsal.heardSeq
    const { next, heardSeq, isEnd } = await findNext(tx, caller, rehearsal, after)
    const isOver = next === undefined && isEnd
    await tx.query(sql`
      update rehearsals set heard_seq = ${heardSeq}, current_seq = ${next?.event.seq}, current_tries = ${next ? 1 : 0},
        heard_at = greatest(heard_at, ${next?.event.createdAt ?? 0}), events = events + ${next ? 1 : 0},
        over_at = ${isOver ? tx.now() : null}
      where org_id = ${caller.orgId} and id = ${rehearsal.id}`)
    if (next) await noteEvent(tx, caller, next, tx.now())
    return { event: next?.event, heardSeq, isOver }
  })
}

/** The event that the bot has and did not finish, unless it was given it often enough or may hear it no more. */
async function currentOf(
  db: Queryable,
  caller: RehearsalCaller,
  rehearsal: RunningRehearsal,
  { finished, now }: { finished: number | undefined; now: number },
): Promise<UpdateRow | undefined> {
  const { currentSeq, currentTries, id } = rehearsal
  if (currentSeq === null || (finished !== undefined && finished >= currentSeq)) return undefined
  if (currentTries >= LIMITS.rehearsalTries) return undefined
  const place = { after: currentSeq - 1, until: currentSeq, limit: 1 }
  const [again] = await hearable(
    caller,
    db,
    await listEventsOf(caller, db, caller.rehearsal.startedBy, place),
  )
  if (!again) return undefined
  await forgetSayingsTo(db, caller, currentSeq)
  await db.query(sql`
    update rehearsals set current_tries = current_tries + 1 where org_id = ${caller.orgId} and id = ${id}`)
  await db.query(sql`
    update rehearsal_events set heard_at = ${now} where org_id = ${caller.orgId} and rehearsal_id = ${id} and seq = ${currentSeq}`)
  return again.event
}

async function findNext(
  db: Queryable,
  caller: RehearsalCaller,
  { toSeq, events }: RunningRehearsal,
  after: number,
): Promise<{ next?: Hearable; heardSeq: number; isEnd: boolean }> {
  if (events >= LIMITS.rehearsalEvents) return { heardSeq: after, isEnd: true }
  let heardSeq = after
  for (let batches = 0; batches < BATCHES; batches += 1) {
    const place = { after: heardSeq, until: toSeq, limit: BATCH }
    const rows = await listEventsOf(caller, db, caller.rehearsal.startedBy, place)
    const [next] = await hearable(caller, db, rows)
    // The last event before it is the last that is behind the bot.
    if (next) return { next, heardSeq: next.event.seq - 1, isEnd: false }
    if (rows.length < BATCH) return { heardSeq: toSeq, isEnd: true }
    heardSeq = rows.at(-1)?.seq ?? heardSeq
  }
  return { heardSeq, isEnd: false }
}

/**
 * Events that a rehearsal may give: those that its admin may read, of others than the bot, whose message is still there. A message that
 * was edited says nothing at its first place in the log, and what it said before comes from nowhere.
 */
async function hearable(
  caller: RehearsalCaller,
  db: Queryable,
  rows: readonly LoggedEvent[],
): Promise<Hearable[]> {
  const found = rows
    .filter(({ isShown }) => isShown)
    .map(hearableOf)
    .filter((one) => one !== undefined)
    .filter(({ actorId }) => actorId !== caller.profileId)
  const ids = found.map(({ messageId }) => messageId).filter((id) => id !== undefined)
  const present = await presentMessages(caller, db, ids)
  return found.filter(({ messageId }) => messageId === undefined || present.has(messageId))
}

function hearableOf(logged: LoggedEvent): Hearable | undefined {
  const event = forPeople(logged) // without the text before an edit
  switch (event.type) {
    case 'message.created':
    case 'message.updated': {
      const { message }: EventData['message.created'] = JSON.parse(event.data)
      if (message.type === 'text' && message.text === '') return undefined
      const { id: messageId, parentId: threadId, senderId: actorId } = message
      return { event, actorId, messageId, threadId }
    }
    case 'message.command': {
      const {
        userId: actorId,
        messageId,
        parentId: threadId,
        name,
      }: EventData['message.command'] = JSON.parse(event.data)
      return name === '' ? undefined : { event, actorId, messageId, threadId }
    }
    case 'reaction.added':
    case 'reaction.removed': {
      const { userId: actorId, messageId }: EventData['reaction.added'] = JSON.parse(event.data)
      return { event, actorId, messageId, threadId: undefined }
    }
    case 'member.added':
    case 'member.removed':
    case 'topic.updated': {
      const { actorId }: EventData['topic.updated'] = JSON.parse(event.data)
      return { event, actorId, messageId: undefined, threadId: undefined }
    }
    default:
      return undefined // deletions, and answers to what the bot that runs has asked
  }
}

async function noteEvent(
  db: Queryable,
  { orgId, rehearsal }: RehearsalCaller,
  { event, actorId, messageId, threadId }: Hearable,
  now: number,
): Promise<void> {
  await db.query(sql`
    insert into rehearsal_events (org_id, rehearsal_id, seq, type, topic_id, message_id, thread_id, actor_id, at, heard_at)
    values (${orgId}, ${rehearsal.id}, ${event.seq}, ${event.type}, ${event.topicId}, ${messageId}, ${threadId}, ${actorId},
      ${event.createdAt}, ${now})`)
}
