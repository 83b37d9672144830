import type { EphemeralEventData, PageEvents } from '../../../../contract/people/stream.ts'

type LogData = PageEvents

/** An event of the log, with its number. `moved`: up to this number there was nothing for this person. */
export type LogEvent =
  | { [Type in keyof LogData]: { type: Type; position: number; data: LogData[Type] } }[keyof LogData]
  | { type: 'moved'; position: number }

/** An event that is never stored, with its time of arrival. */
export type PassingEvent = {
  [Type in keyof EphemeralEventData]: { type: Type; at: number; data: EphemeralEventData[Type] }
}[keyof EphemeralEventData]

/** Events that a browser shows beside the page. */
export type Told = Extract<PassingEvent, { type: 'notification' | 'later' }>

export type ChatEvent = LogEvent | PassingEvent

export const isLogEvent = (event: ChatEvent): event is LogEvent => 'position' in event

const LOG_TYPES: Record<keyof LogData, true> = {
  'message.created': true,
  'message.updated': true,
  'message.deleted': true,
  'reaction.added': true,
  'reaction.removed': true,
  'member.added': true,
  'member.removed': true,
  'topic.updated': true,
  'poll_vote.created': true,
  'poll_vote.deleted': true,
  'topic.created': true,
  'message.pinned': true,
  'message.unpinned': true,
  'poll.updated': true,
  'poll.voted': true,
  'message.action': true,
  'question.closed': true,
  'message.command': true,
  'scheduled_message.failed': true,
  'message.answered': true,
  'message.previewed': true,
  'action.noted': true,
  'reply.shown': true,
  'stream.discarded': true,
  'bot.reach_changed': true,
  'bots.stopped': true,
  'bots.released': true,
  'topic.guests_changed': true,
  'task.moved': true,
  'member.updated': true,
  'emoji.changed': true,
}
const PASSING_TYPES: Record<keyof EphemeralEventData, true> = {
  typing: true,
  presence: true,
  state: true,
  streaming: true,
  progress: true,
  notification: true,
  later: true,
}

/** One frame of the live stream; what is of no use to the chat only moves the position. */
export function readEvent(type: string, id: string, data: string, at: number): ChatEvent | undefined {
  const position = Number(id)
  if (type in LOG_TYPES && id !== '') {
    return { type, position, data: JSON.parse(data) } as LogEvent // as the contract promises
  }
  if (type in PASSING_TYPES) return { type, at, data: JSON.parse(data) } as PassingEvent
  return id === '' ? undefined : { type: 'moved', position }
}
