import { LIMITS } from '../../../contract/limits.ts'
import { isBotId } from '../../../contract/profile-ids.ts'
import type { Caller } from '../../caller.ts'
import { sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/transaction.ts'
import { Refusal, refusal } from '../../errors.ts'
import { spendOne } from '../../limits/budget.ts'
import {
  type FoundMentions,
  findGroupMentions,
  type MentioningText,
} from '../../queries/messages/group-mentions.ts'
import type { StoredGroupMentions } from '../../queries/messages/messages.ts'

/** Whether what this caller writes can mention groups: people themselves, and bots whose token has the scope. For all others it is text. */
export const mayMentionGroups = ({ profileId, assistant, scopes }: Caller): boolean =>
  isBotId(profileId) ? scopes?.has('group:mention') === true : assistant === undefined

type Place = Omit<MentioningText, 'present'>

/** Whom a text mentions as groups, refused if the caller may not mention so many. Undefined if it mentions no group. */
export async function groupMentionsOf(
  tx: Transaction,
  caller: Caller,
  place: Place,
): Promise<StoredGroupMentions | undefined> {
  const found = await checkGroupMentions(tx, caller, place)
  if (!found) return undefined
  await spendOne(tx, `group-mentions:${tx.orgId}:${caller.profileId}`, LIMITS.groupMentionsPerMinute)
  const { groupMentions, threadId } = found
  if (threadId !== undefined) await followThread(tx, place.topicId, threadId, groupMentions.people ?? [])
  return groupMentions
}

/** Finds the mentions of a message that was accepted before and appears now; those that are refused by now are text. */
export async function groupMentionsLater(
  tx: Transaction,
  senderId: string,
  place: Place,
): Promise<StoredGroupMentions | undefined> {
  try {
    return await groupMentionsOf(tx, { orgId: tx.orgId, profileId: senderId }, place)
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}

/** Finds whom a text mentions by groups, with the refusals that sending it would get. */
export async function checkGroupMentions(
  tx: Transaction,
  caller: Caller,
  place: Place,
): Promise<FoundMentions | undefined> {
  if (!mayMentionGroups(caller)) return undefined
  const found = await findGroupMentions(caller, tx, { ...place, present: tx.presentIn(tx.orgId) })
  if (!found) return undefined
  if (found.count > LIMITS.mentionedFreely && !found.mayMany) throw refusal('mention_too_large')
  if ((found.groupMentions.people?.length ?? 0) > LIMITS.mentionedPeople) throw refusal('mention_people_full')
  return found
}

/** People who are mentioned in a thread follow it from the reply on that mentions them. */
async function followThread(
  tx: Transaction,
  topicId: string,
  threadId: string,
  people: readonly string[],
): Promise<void> {
  await tx.query(sql`
    insert into thread_follows (org_id, profile_id, parent_id, topic_id, last_reply_id, read_to)
    select ${tx.orgId}, person, ${threadId}, ${topicId}, last.id, last.id
    from unnest(${people}::text[]) as person, lateral (
      select coalesce((
        select x.id from messages x where x.org_id = ${tx.orgId} and x.parent_id = ${threadId} order by x.id desc limit 1
      ), ${threadId}::uuid) as id
    ) last
    on conflict do nothing`)
}
