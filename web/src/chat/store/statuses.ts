import type { ChatMember } from '../../../../contract/people/chat-records.ts'
import type { ChatState } from '../model.ts'

/** Removes statuses and "do not disturb" that ended before `now`. */
export function endStatuses(state: ChatState, now: number): ChatState {
  const ended = [...state.members.values()].flatMap((member) => {
    const after = withoutEnded(member, now)
    return after === member ? [] : [after]
  })
  if (ended.length === 0) return state
  const members = new Map(state.members)
  for (const member of ended) members.set(member.id, member)
  return { ...state, members, me: state.me && (members.get(state.me.id) ?? state.me) }
}

function withoutEnded(member: ChatMember, now: number): ChatMember {
  const { statusText, statusEmoji, statusUntil, dndUntil, ...rest } = member
  const isStatusOver = statusUntil !== undefined && statusUntil <= now
  const isDndOver = dndUntil !== undefined && dndUntil <= now
  if (!isStatusOver && !isDndOver) return member
  return {
    ...rest,
    ...(!isStatusOver && {
      ...(statusText !== undefined && { statusText }),
      ...(statusEmoji !== undefined && { statusEmoji }),
      ...(statusUntil !== undefined && { statusUntil }),
    }),
    ...(!isDndOver && dndUntil !== undefined && { dndUntil }),
  }
}
