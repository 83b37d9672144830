import type { Rehearsal, RehearsedEvent, Saying } from '../../contract/people/rehearsals.ts'
import type { HeardRow, RehearsalRow, SayingRow } from '../queries/bots/rehearsals.ts'

export const presentRehearsal = (row: RehearsalRow, now: number): Rehearsal => ({
  id: row.id,
  name: row.name,
  state: row.overAt !== null ? 'over' : row.expiresAt > now ? 'running' : 'expired',
  startedBy: row.startedBy,
  startedByName: row.startedByName,
  from: row.fromAt,
  heardUntil: row.heardAt,
  events: row.events,
  tokens: row.tokens,
  createdAt: row.createdAt,
  expiresAt: row.expiresAt,
  deleteAt: row.deleteAt,
})

function presentSaying({ kind, text, data }: SayingRow): Saying {
  const { streaming, edited, deleted, ...rest } = data
  return {
    kind,
    text,
    ...rest,
    ...(edited && { isEdited: true }),
    ...(deleted && { isDeleted: true }),
    ...(streaming && { isUnfinished: true }),
  }
}

const rehearsed = (sayings: readonly SayingRow[]): Pick<RehearsedEvent, 'rehearsed' | 'more'> => {
  const more = (sayings[0]?.total ?? 0) - sayings.length
  return { rehearsed: sayings.map(presentSaying), ...(more > 0 && { more }) }
}

/** Sayings before the first event, such as setting commands. */
export const presentBeginning = (sayings: readonly SayingRow[]): RehearsedEvent => ({
  seq: 0,
  former: [],
  ...rehearsed(sayings),
})

export function presentRehearsedEvent(row: HeardRow, sayings: readonly SayingRow[]): RehearsedEvent {
  const { seq, type, at: createdAt, topicId, topicName, actorName, messageId, text } = row
  if (row.isHidden) return { seq, isHidden: true, former: [], rehearsed: [] }
  return {
    ...{ seq, type, createdAt, topicId, topicName },
    ...(actorName !== null && { actorName }),
    ...(messageId !== null && { messageId }),
    ...(text !== null && { text }),
    former: row.former,
    ...rehearsed(sayings),
  }
}
