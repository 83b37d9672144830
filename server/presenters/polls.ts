import type { EventData } from '../../contract/events.ts'
import type { MessagePoll } from '../../contract/message.ts'
import { type Poll, type PollVote, pollVoteId } from '../../contract/polls.ts'
import type { PollRow, VoteRow } from '../queries/polls.ts'

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

/** As the message carries it that shows the poll. */
export const presentMessagePoll = (row: ShownPoll): MessagePoll => ({ ...common(row), title: row.question })

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
