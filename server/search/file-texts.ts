import type { Queryable } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import { addJobs } from '../jobs/queue.ts'
import { type IndexedMessage, isReadable } from './documents.ts'

/** Characters of a file that are searched, and those of all files of one message together. */
export const MAX_FILE_TEXT = 200_000
const MAX_TEXTS_OF_MESSAGE = 400_000

/** The texts inside the files of messages, as far as they were read; of the first `limit` files. */
export async function readFileTexts(
  db: Queryable,
  orgId: string,
  messages: readonly Pick<IndexedMessage, 'id' | 'attachments'>[],
  limit = Number.POSITIVE_INFINITY,
): Promise<Map<string, string>> {
  const fileIds = messages
    .flatMap(({ attachments }) => (attachments ?? []).filter(isReadable).map(({ id }) => id))
    .slice(0, limit)
  if (fileIds.length === 0) return new Map()
  const rows = await db.query<{ file_id: string; text: string }>(sql`
    select file_id, text from search_file_texts where org_id = ${orgId} and file_id = any(${fileIds}::uuid[]) and text is not null`)
  return new Map(rows.map(({ file_id, text }) => [file_id, text]))
}

/** The texts inside the files of one message, up to a length that is searched. */
export function textsInFiles(
  { attachments }: Pick<IndexedMessage, 'attachments'>,
  known: ReadonlyMap<string, string>,
): string[] {
  let left = MAX_TEXTS_OF_MESSAGE
  return (attachments ?? []).flatMap(({ id }) => {
    const text = (known.get(id) ?? '').slice(0, left)
    left -= text.length
    return text === '' ? [] : [text]
  })
}

/** Has files read that never were; the messages come up again when that is done. */
export async function requestFileTexts(
  tx: Queryable & { now(): number },
  orgId: string,
  messages: readonly Pick<IndexedMessage, 'id' | 'attachments'>[],
): Promise<void> {
  const files = messages.flatMap(({ id, attachments }) =>
    (attachments ?? []).filter(isReadable).map((file) => ({ messageId: id, attachmentId: file.id })),
  )
  if (files.length === 0) return
  // A forward names the same file: the first message that does asks for the job.
  const askers = new Map<string, string[]>()
  for (const { messageId, attachmentId } of files)
    askers.set(attachmentId, [...(askers.get(attachmentId) ?? []), messageId])
  const asked = await tx.query<{ file_id: string; is_new: boolean }>(sql`
    insert into search_file_texts as t (org_id, file_id, messages)
    select ${orgId}, x.id, x.messages::uuid[]
    from unnest(${[...askers.keys()]}::uuid[], ${[...askers.values()].map((ids) => `{${ids.join(',')}}`)}::text[]) as x (id, messages)
    on conflict (org_id, file_id) do update
    set messages = array(select distinct unnest(t.messages || excluded.messages)) where t.text is null
    returning file_id, xmax = 0 as is_new`)
  const jobs = asked.flatMap(({ file_id, is_new }) =>
    is_new ? [{ messageId: askers.get(file_id)?.[0] ?? '', attachmentId: file_id }] : [],
  )
  await addJobs(tx, orgId, 'text', jobs)
}

/** Keeps the text inside a file, and has the messages that wait for it written again. Changes nothing once the file is gone. */
export async function keepFileText(
  tx: Queryable,
  orgId: string,
  fileId: string,
  text: string,
): Promise<void> {
  const [kept] = await tx.query<{ messages: string[] }>(sql`
    update search_file_texts set text = ${text} where org_id = ${orgId} and file_id = ${fileId}
    returning messages`)
  if (kept && text !== '') await awaitIndexing(tx, orgId, kept.messages)
}

/** Has the worker write these messages again, without an event in the log. */
export async function awaitIndexing(
  tx: Queryable,
  orgId: string,
  messageIds: readonly string[],
): Promise<void> {
  if (messageIds.length === 0) return
  await tx.query(sql`
    insert into search_waiting (org_id, message_id)
    select ${orgId}, x.id from unnest(${messageIds}::uuid[]) as x (id) on conflict do nothing`)
}
