import { randomInt } from 'node:crypto'
import { LIMITS } from '../../../contract/limits.ts'
import { isAdminRole } from '../../../contract/operation.ts'
import type { SelectionType } from '../../../contract/polls.ts'
import { isBotId } from '../../../contract/profile-ids.ts'
import type { PersonCaller } from '../../auth/sessions.ts'
import { byAssistant, type Caller } from '../../caller.ts'
import { sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/transaction.ts'
import { refusal } from '../../errors.ts'
import { emit, emitToPeople } from '../../events/log.ts'
import { presentMessagePoll, presentPollState, presentVoteEvent, voteIdOf } from '../../presenters/polls.ts'
import { type PollRow, readPoll, readPollStates, readVotes, type VoteRow } from '../../queries/work/polls.ts'
import { postMessage } from '../messages/messages.ts'
import { refuseClosedTopic, requireTopicToWriteIn } from '../topics/topics.ts'

export type NewPoll = {
  topicId: string
  question: string
  options: readonly string[]
  selectionType: SelectionType
  anonymous?: boolean
  subtitle?: string
  expiresAt?: number
}

/** Creates the poll and its message. */
export async function createPoll(tx: Transaction, caller: Caller, poll: NewPoll): Promise<PollRow> {
  if (poll.expiresAt !== undefined && poll.expiresAt <= tx.now()) throw refusal('expiry_not_in_future')
  const written = [poll.question, poll.subtitle, ...poll.options]
  const topic = await requireTopicToWriteIn(tx, caller, poll.topicId, written, { kind: 'poll' })
  const { id, at } = tx.moment()
  const ids = newOptionIds(poll.options.length)
  const row: Omit<PollRow, 'message_id'> = {
    id,
    topic_id: topic.id,
    question: poll.question,
    subtitle: poll.subtitle || null,
    selection_type: poll.selectionType,
    anonymous: poll.anonymous ?? false,
    status: 'active',
    expires_at: poll.expiresAt ?? null,
    options: poll.options.map((text, index) => ({ id: ids[index] ?? '', text })),
    created_by: caller.profileId,
    created_at: at,
  }
  const message = await postMessage(tx, {
    topicId: topic.id,
    senderId: caller.profileId,
    type: 'poll',
    details: { poll: presentMessagePoll(row), ...byAssistant(caller) },
  })
  await tx.query(sql`
    insert into polls (org_id, id, topic_id, message_id, question, subtitle, selection_type, anonymous, status,
      expires_at, options, created_by, created_at)
    values (${tx.orgId}, ${id}, ${topic.id}, ${message.id}, ${row.question}, ${row.subtitle}, ${row.selection_type},
      ${row.anonymous}, ${row.status}, ${row.expires_at}, ${JSON.stringify(row.options)}, ${caller.profileId}, ${at})`)
  return { ...row, message_id: message.id }
}

const OPTION_ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789'

/** Ids that differ from each other; other polls may use the same ones. */
function newOptionIds(count: number): string[] {
  const ids = new Set<string>()
  while (ids.size < count) {
    const letters = Array.from({ length: LIMITS.pollOptionId }, () => randomInt(OPTION_ALPHABET.length))
    ids.add(letters.map((letter) => OPTION_ALPHABET[letter]).join(''))
  }
  return [...ids]
}

const isBot = ({ profileId }: Caller): boolean => isBotId(profileId)

/** A repeat gives the first record. Anonymous polls are for people. In a `single` poll another option moves the vote. */
export async function castVote(
  tx: Transaction,
  caller: Caller,
  pollId: string,
  optionId: string,
): Promise<{ vote: VoteRow; isNew: boolean }> {
  const poll = await requirePoll(tx, caller, pollId)
  if (poll.anonymous && isBot(caller)) throw refusal('poll_anonymous')
  refuseFinished(poll, tx.now())
  if (!poll.options.some(({ id }) => id === optionId)) throw refusal('option_id_invalid')

  const votes = await readVotes(caller, tx, poll.id)
  const known = votes.find((vote) => vote.option_id === optionId)
  if (known) return { vote: known, isNew: false }
  if (poll.selection_type === 'single') for (const former of votes) await removeVote(tx, poll, former)
  const { at } = tx.moment()
  const vote = { poll_id: poll.id, voter_id: caller.profileId, option_id: optionId, created_at: at }
  await tx.query(sql`
    insert into poll_votes (org_id, poll_id, voter_id, option_id, created_at)
    values (${tx.orgId}, ${vote.poll_id}, ${vote.voter_id}, ${vote.option_id}, ${vote.created_at})`)
  await tellVote(tx, 'poll_vote.created', poll, vote, at)
  await tellResults(tx, caller, poll)
  return { vote, isNew: true }
}

/** Takes back the caller's own vote while the poll is open. Votes of others are not found. */
export async function retractVote(
  tx: Transaction,
  caller: Caller,
  pollId: string,
  voteId: string,
): Promise<void> {
  const poll = await requirePoll(tx, caller, pollId)
  const vote = (await readVotes(caller, tx, poll.id)).find((candidate) => voteIdOf(candidate) === voteId)
  if (!vote) throw refusal('vote_not_found')
  refuseFinished(poll, tx.now())
  await removeVote(tx, poll, vote)
  await tellResults(tx, caller, poll)
}

/** The poll's creator and admins may close it. */
export async function closeOwnPoll(tx: Transaction, caller: PersonCaller, pollId: string): Promise<void> {
  const poll = await requirePoll(tx, caller, pollId)
  if (poll.created_by !== caller.profileId && !isAdminRole(caller.role)) throw refusal('forbidden')
  await closePoll(tx, poll.id)
}

/** Closes the poll, and marks its message as closed. People get an event, bots do not. */
export async function closePoll(tx: Transaction, pollId: string): Promise<void> {
  const [poll] = await tx.query<{ id: string; topic_id: string; message_id: string }>(sql`
    update polls set status = 'closed' where org_id = ${tx.orgId} and id = ${pollId}
    returning id, topic_id, message_id`)
  if (!poll) throw pollNotFound()
  const closedAt = tx.now()
  const changed = await tx.query(sql`
    update messages set details = jsonb_set(details, '{poll,status}', '"closed"'), updated_at = ${closedAt}
    where org_id = ${tx.orgId} and id = ${poll.message_id} and details #>> '{poll,status}' <> 'closed'
    returning id`)
  if (changed.length > 0) await tellResults(tx, { orgId: tx.orgId, profileId: '' }, poll, { closedAt })
}

/**
 * Sends people the results, and the voter's browsers the own choice. Results have counts and the first few voters; for
 * an anonymous poll, counts alone.
 */
async function tellResults(
  tx: Transaction,
  voter: Caller,
  poll: Pick<PollRow, 'id' | 'topic_id' | 'message_id'>,
  closed: { closedAt?: number } = {},
): Promise<void> {
  await tx.query(sql`update polls set version = version + 1 where org_id = ${tx.orgId} and id = ${poll.id}`)
  const [row] = await readPollStates(voter, tx, [poll.id])
  if (!row) throw pollNotFound()
  const { own, ...results } = presentPollState(row, tx.now())
  const { topic_id: topicId, message_id: messageId } = poll
  await emitToPeople(tx, 'poll.updated', topicId, { topicId, messageId, poll: results, ...closed })
  if (voter.profileId === '' || isBot(voter)) return
  const { id: pollId, version } = results
  await emitToPeople(tx, 'poll.voted', topicId, {
    topicId,
    pollId,
    voterId: voter.profileId,
    version,
    optionIds: own,
  })
}

/** Emits the vote to bots that subscribed to votes. An anonymous poll emits none. */
async function tellVote(
  tx: Transaction,
  type: 'poll_vote.created' | 'poll_vote.deleted',
  poll: PollRow,
  vote: VoteRow,
  at: number,
): Promise<void> {
  if (poll.anonymous) return
  const concerned = [poll.created_by, vote.voter_id]
  await emit(tx, type, poll.topic_id, presentVoteEvent(poll, vote, at), { pollVotes: true, concerned })
}

const pollNotFound = () => refusal('poll_not_found')

async function requirePoll(tx: Transaction, caller: Caller, pollId: string): Promise<PollRow> {
  const poll = await readPoll(caller, tx, pollId)
  if (!poll) throw pollNotFound()
  await refuseClosedTopic(tx, caller, poll.topic_id)
  return poll
}

function refuseFinished(poll: PollRow, now: number): void {
  if (poll.status === 'closed') throw refusal('poll_closed')
  if (poll.expires_at !== null && poll.expires_at <= now) throw refusal('poll_expired')
}

async function removeVote(tx: Transaction, poll: PollRow, vote: VoteRow): Promise<void> {
  await tx.query(sql`
    delete from poll_votes
    where org_id = ${tx.orgId} and poll_id = ${poll.id} and voter_id = ${vote.voter_id}
      and option_id = ${vote.option_id}`)
  await tellVote(tx, 'poll_vote.deleted', poll, vote, tx.now())
}
