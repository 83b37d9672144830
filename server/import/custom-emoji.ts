import { emojiMark } from '../actions/organization/import-marks.ts'
import type { Database } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import { Refusal } from '../errors.ts'
import type { ImportFiles } from './files.ts'
import type { ImportSource } from './source.ts'

/** Takes the pictures of an export's own emoji, before the reactions that name them. Emoji of the same name that are here already stay as they are. */
export async function takeEmoji(
  db: Database,
  orgId: string,
  source: Pick<ImportSource, 'emoji' | 'skipped'>,
  /** Undefined in a dry run. */
  files: ImportFiles | undefined,
  ownerId: string,
) {
  const rows = await db.query<{ name: string }>(sql`select name from custom_emoji where org_id = ${orgId}`)
  const names = new Set(rows.map(({ name }) => name))
  const counts = { added: 0, alreadyThere: 0, deleted: 0 }
  for (const emoji of source.emoji) {
    const { name } = emoji
    if (names.has(name)) {
      counts.alreadyThere += 1
      continue
    }
    if (await isEmojiDeleted(db, orgId, name)) {
      counts.deleted += 1
      continue
    }
    try {
      await files?.keepEmoji(emoji, ownerId)
      counts.added += 1
      names.add(name)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      source.skipped.add(`emoji that are refused: ${error.message}`, `:${name}:`)
    }
  }
  return { names, counts }
}

async function isEmojiDeleted(db: Database, orgId: string, name: string): Promise<boolean> {
  const mark = emojiMark({ orgId, markKey: db.markKey }, name)
  const [row] = await db.query(sql`select 1 from import_marks where org_id = ${orgId} and hash = ${mark}`)
  return row !== undefined
}
