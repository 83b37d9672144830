import { ACTION_NOTED } from '../../../contract/people/stream.ts'
import { isBotId } from '../../../contract/profile-ids.ts'
import type { Caller } from '../../caller.ts'
import { sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/transaction.ts'
import { refusal } from '../../errors.ts'
import { emitToPeople } from '../../events/log.ts'
import { readMessage, readNames } from '../../queries/messages/messages.ts'
import { findTopic } from '../../queries/topics/topics.ts'
import { refuseArchived } from '../topics/topics.ts'
import { maskedIn, refuseTexts } from '../topics/written-texts.ts'

type Place = { messageId: string; memberId: string }

/** Shows an answer of a bot under a message to one person of its topic; it takes the place of the one that is there. */
export async function answerPrivately(
  tx: Transaction,
  caller: Caller,
  place: Place,
  given: string,
): Promise<void> {
  const { messageId, topicId, userId, topic } = await find(tx, caller, place)
  refuseArchived(topic)
  refuseTexts(tx, caller, topic, [given], { kind: 'private_answer', maskable: given })
  const text = maskedIn(tx, given)
  const [member] = await tx.query(sql`
    select from topic_members where org_id = ${tx.orgId} and topic_id = ${topicId} and profile_id = ${userId}`)
  if (!member || isBotId(userId)) throw refusal('private_answer_member_invalid')
  const { id, at } = tx.moment()
  await tx.query(sql`
    insert into private_answers (org_id, profile_id, message_id, id, bot_id, text, created_at)
    values (${tx.orgId}, ${userId}, ${messageId}, ${id}, ${caller.profileId}, ${text}, ${at})
    on conflict (org_id, profile_id, message_id) do update set id = excluded.id, bot_id = excluded.bot_id, text = excluded.text,
      created_at = excluded.created_at`)
  await tell(tx, caller, { topicId, messageId, userId, id, text })
}

export async function withdrawPrivateAnswer(tx: Transaction, caller: Caller, place: Place): Promise<void> {
  const { messageId, topicId, userId } = await find(tx, caller, place)
  const gone = await tx.query(sql`
    delete from private_answers
    where org_id = ${tx.orgId} and profile_id = ${userId} and message_id = ${messageId} and bot_id = ${caller.profileId}
    returning 1`)
  if (gone.length === 0) throw refusal('private_answer_not_found')
  await tell(tx, caller, { topicId, messageId, userId, id: tx.moment().id, text: '' })
}

async function find(tx: Transaction, caller: Caller, { messageId, memberId }: Place) {
  const message = await readMessage(caller, tx, messageId)
  const topic = message && (await findTopic(caller, tx, message.topic_id))
  if (!topic) throw refusal('message_not_found')
  return { messageId: message.id, topicId: message.topic_id, userId: memberId.toLowerCase(), topic }
}

type Told = { topicId: string; messageId: string; userId: string; id: string; text: string }

async function tell(tx: Transaction, caller: Caller, { topicId, messageId, userId, id, text }: Told) {
  const { profileId } = caller
  const names = await readNames(caller, tx, [profileId])
  await emitToPeople(tx, ACTION_NOTED, topicId, {
    topicId,
    messageId,
    actionId: id,
    userId,
    text,
    senderId: profileId,
    senderName: names.get(profileId) ?? '',
  })
}
