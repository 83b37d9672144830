import { LIMITS } from '../../../contract/limits.ts'
import type { Caller } from '../../caller.ts'
import { sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/transaction.ts'
import { refusal } from '../../errors.ts'
import { spendOne } from '../../limits/budget.ts'
import { findDirectMessage } from './chat-topics.ts'
import { createTopicOf, memberKeyOf } from './topics.ts'

/**
 * Opens the direct message of a bot and a person, if an admin lets the bot do so. People out of its reach are refused like those who
 * do not exist, so that a bot can neither write to a whole organization nor find out who is in it.
 */
export async function startDirectMessage(
  tx: Transaction,
  caller: Caller,
  requestedId: string,
): Promise<{ id: string; isNew: boolean }> {
  const { orgId, profileId } = caller
  const memberId = requestedId.toLowerCase()
  const [found] = await tx.query<{ is_allowed: boolean; is_in_reach: boolean }>(sql`
    select b.opens_direct_messages as is_allowed, exists (
      select from profiles p
      join topic_members theirs on theirs.org_id = p.org_id and theirs.profile_id = p.id
      join topic_members own on own.org_id = p.org_id and own.topic_id = theirs.topic_id and own.profile_id = ${profileId}
      where p.org_id = ${orgId} and p.id = ${memberId} and p.kind = 'user' and p.status = 'Active') as is_in_reach
    from bots b where b.org_id = ${orgId} and b.id = ${profileId}`)
  if (!found?.is_allowed) throw refusal('direct_messages_off')
  if (!found.is_in_reach) throw refusal('member_invalid')
  const known = await findDirectMessage(tx, orgId, memberKeyOf([profileId, memberId]))
  if (known !== undefined) return { id: known, isNew: false }
  await spendOne(tx, `direct-messages:${orgId}:${profileId}`, LIMITS.directMessagesPerMinute)
  const { id } = await createTopicOf(tx, caller, { type: 'dm', name: '', members: [memberId] })
  return { id, isNew: true }
}
