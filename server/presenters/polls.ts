import type { EventData } from '../../contract/events.ts'
import type { MessagePoll } from '../../contract/message.ts'
import type { PollResults, PollState } from '../../contract/people/card-records.ts'
import { type Poll, type PollVote, pollVoteId } from '../../contract/polls.ts'
import type { PollRow, PollStateRow, VoteRow } from '../queries/work/polls.ts'

type ShownPoll = Omit<PollRow, 'message_id'>

const common = (row: ShownPoll) => ({
  id: row.id,
  ...(row.subtitle !== null && { subtitle: row.subtitle }),
  selectionType: row.selection_type,
  anonymous: row.anonymous,
  status: row.status,
  ...(row.expires_at !== null && { expiresAt: row.expires_at }),
  options: row.options,
})

export const presentPoll = (row: PollRow): Poll => ({
  ...common(row),
  topicId: row.topic_id,
  question: row.question,
  createdAt: row.created_at,
})

/** The poll as embedded in its message. */
export const presentMessagePoll = (row: ShownPoll): MessagePoll => ({ ...common(row), title: row.question })

/** The results that all members may see. For an anonymous poll, these are counts without names. */
export function presentPollResults(row: PollStateRow, now: number): PollResults {
  const hasExpired = row.expires_at !== null && row.expires_at <= now
  return {
    id: row.id,
    version: row.version,
    status: hasExpired ? 'closed' : row.status,
    voters: row.voters,
    options: row.options.map(({ id }) => {
      const votes = row.votes.find((one) => one.id === id)
      return { id, count: votes?.count ?? 0, voterIds: row.anonymous ? [] : (votes?.voterIds ?? []) }
    }),
  }
}

export const presentPollState = (row: PollStateRow, now: number): PollState => ({
  ...presentPollResults(row, now),
  own: row.own,
})

export const voteIdOf = ({ poll_id, option_id, voter_id }: VoteRow): string =>
  pollVoteId(poll_id, option_id, voter_id)

export const presentVote = (row: VoteRow): PollVote => ({
  id: voteIdOf(row),
  attachmentId: row.poll_id,
  optionId: row.option_id,
  createdAt: row.created_at,
})

export const presentVoteEvent = (
  poll: PollRow,
  vote: VoteRow,
  happenedAt: number,
): EventData['poll_vote.created'] => ({
  pollVoteId: voteIdOf(vote),
  attachmentId: poll.id,
  messageId: poll.message_id,
  topicId: poll.topic_id,
  optionId: vote.option_id,
  voterId: vote.voter_id,
  createdAt: happenedAt,
})
