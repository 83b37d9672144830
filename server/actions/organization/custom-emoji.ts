import { LIMITS } from '../../../contract/limits.ts'
import { isAdminRole } from '../../../contract/operation.ts'
import type { CustomEmoji } from '../../../contract/people/emoji.ts'
import { EMOJI_CHANGED } from '../../../contract/people/stream.ts'
import type { PersonCaller } from '../../auth/sessions.ts'
import { isViolation } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/transaction.ts'
import { refusal } from '../../errors.ts'
import { emitToPeople } from '../../events/log.ts'
import { keepFiles, releaseFiles } from '../../files/files.ts'
import { actorOf, audit, NO_TOPIC } from './audit.ts'
import { emojiMark, noteDeleted } from './import-marks.ts'

type NewEmoji = { name: string; fileId: string }

export async function addCustomEmoji(
  tx: Transaction,
  caller: PersonCaller,
  added: NewEmoji,
): Promise<CustomEmoji> {
  const emoji = await keepCustomEmoji(tx, caller.profileId, added)
  await tell(tx, caller, 'emoji.added', emoji.name)
  return emoji
}

/** The picture is stored, and kept once the emoji refers to it. */
export async function keepCustomEmoji(
  tx: Transaction,
  createdBy: string,
  { name, fileId }: NewEmoji,
): Promise<CustomEmoji> {
  const [counted] = await tx.query<{ count: number }>(
    sql`select count(*)::integer as count from custom_emoji where org_id = ${tx.orgId}`,
  )
  if ((counted?.count ?? 0) >= LIMITS.customEmoji) throw refusal('emoji_limit_reached')
  const emoji = { name, pictureId: fileId, createdBy, createdAt: tx.now() }
  await tx
    .query(sql`
      insert into custom_emoji (org_id, name, file_id, created_by, created_at)
      values (${tx.orgId}, ${name}, ${fileId}, ${emoji.createdBy}, ${emoji.createdAt})`)
    .catch((error: unknown) => {
      throw isViolation(error, 'custom_emoji_pkey') ? refusal('emoji_name_taken') : error
    })
  await keepFiles(tx, [fileId])
  await emitToPeople(tx, EMOJI_CHANGED, NO_TOPIC, { name, pictureId: fileId })
  return emoji
}

/** Messages and reactions keep its name. */
export async function removeCustomEmoji(tx: Transaction, caller: PersonCaller, name: string): Promise<void> {
  const [emoji] = await tx.query<{ file_id: string; created_by: string }>(sql`
    select file_id, created_by from custom_emoji where org_id = ${tx.orgId} and name = ${name}`)
  if (!emoji) throw refusal('emoji_not_found')
  if (emoji.created_by !== caller.profileId && !isAdminRole(caller.role)) throw refusal('emoji_of_another')
  await tx.query(sql`delete from custom_emoji where org_id = ${tx.orgId} and name = ${name}`)
  await noteDeleted(tx, [emojiMark(tx, name)])
  await releaseFiles(tx, [emoji.file_id])
  await emitToPeople(tx, EMOJI_CHANGED, NO_TOPIC, { name, pictureId: null })
  await tell(tx, caller, 'emoji.removed', name)
}

async function tell(
  tx: Transaction,
  caller: PersonCaller,
  action: 'emoji.added' | 'emoji.removed',
  name: string,
): Promise<void> {
  await audit(tx, actorOf(caller), { action, target: { type: 'emoji', id: name, name: `:${name}:` } })
}
