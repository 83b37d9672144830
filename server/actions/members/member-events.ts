import { MEMBER_UPDATED } from '../../../contract/people/stream.ts'
import type { Transaction } from '../../db/transaction.ts'
import { emitToPeople } from '../../events/log.ts'
import { presentChatMember } from '../../presenters/chat.ts'
import { readChatMember } from '../../queries/members/chat-members.ts'
import { NO_TOPIC } from '../organization/audit.ts'
import { tellSessionsOf } from '../organization/spread-news.ts'

/** Tells the whole organization that a member is new, was renamed, or has another role or state. */
export async function tellMember(tx: Transaction, profileId: string): Promise<void> {
  const row = await readChatMember({ orgId: tx.orgId, profileId }, tx, profileId)
  if (row) await emitToPeople(tx, MEMBER_UPDATED, NO_TOPIC, { member: presentChatMember(row, tx.now()) })
  await tellSessionsOf(tx, profileId)
}
