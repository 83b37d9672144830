import type { Caller } from '../../caller.ts'
import { cleanSome } from '../../db/clean-some.ts'
import type { Queryable } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'
import type { OpenTransaction, Transaction } from '../../db/transaction.ts'
import { refusal } from '../../errors.ts'
import { emitToPeople } from '../../events/log.ts'
import { keepFiles, releaseFiles, type StoredFile, shareFiles } from '../../files/files.ts'
import { linkPlaceholder } from '../../files/links.ts'
import { finishJob, type Job, jobsChannel } from '../../jobs/queue.ts'
import { linkIn } from '../../link-in-text.ts'
import { presentPreview } from '../../presenters/messages.ts'
import { urlHash } from '../../queries/messages/link-previews.ts'
import { readMessage, type StoredPreview } from '../../queries/messages/messages.ts'

/** A fetch has ended by then, or its node has died. */
const CLAIM_MS = 30_000
/** A preview is fetched again after a day, a page without one after an hour. */
const KEPT_MS = 24 * 3_600_000
const KEPT_NOTHING_MS = 3_600_000

/** Whether this call claimed the fetch; false while another has it. */
export async function claimPreview(db: Queryable, orgId: string, url: string, now: number): Promise<boolean> {
  const claimed = await db.query(sql`
    insert into link_previews as x (org_id, url_hash, expires_at) values (${orgId}, ${urlHash(url)}, ${now + CLAIM_MS})
    on conflict (org_id, url_hash) do update set expires_at = excluded.expires_at, fetched = false
    where x.expires_at <= ${now}
    returning 1`)
  return claimed.length > 0
}

/** Adds a preview to the message that has the link, and informs the people of its topic. */
export async function recordPreview(
  tx: Transaction,
  job: Job,
  { url, isNew, preview, file }: { url: string; isNew: boolean; preview?: StoredPreview; file?: StoredFile },
): Promise<void> {
  await finishJob(tx, job)
  if (file) await keepFiles(tx, [file.id])
  if (isNew) await remember(tx, url, preview)
  const [cached] = await tx.query<{ preview: StoredPreview | null }>(sql`
    select preview from link_previews where org_id = ${tx.orgId} and url_hash = ${urlHash(url)}`)
  const shown = cached?.preview
  if (!shown) return
  const [message] = await tx.query<{ topic_id: string; text: string }>(sql`
    select topic_id, text from messages
    where org_id = ${tx.orgId} and id = ${job.messageId} and details -> 'preview' is null`)
  if (!message || linkIn(message.text) !== url) return // edited or deleted since
  if (shown.imageId !== undefined) await shareFiles(tx, [shown.imageId])
  await tx.query(sql`
    update messages set details = coalesce(details, '{}') || jsonb_build_object('preview', ${JSON.stringify(shown)}::jsonb)
    where org_id = ${tx.orgId} and id = ${job.messageId}`)
  await emitToPeople(tx, 'message.previewed', message.topic_id, {
    topicId: message.topic_id,
    messageId: job.messageId,
    preview: presentPreview(shown, linkPlaceholder),
  })
}

async function remember(tx: Transaction, url: string, preview: StoredPreview | undefined): Promise<void> {
  const until = tx.now() + (preview ? KEPT_MS : KEPT_NOTHING_MS)
  const [before] = await tx.query<{ image_file_id: string | null }>(sql`
    select image_file_id from link_previews where org_id = ${tx.orgId} and url_hash = ${urlHash(url)}`)
  if (before?.image_file_id) await releaseFiles(tx, [before.image_file_id])
  await tx.query(sql`
    insert into link_previews (org_id, url_hash, preview, image_file_id, fetched, expires_at)
    values (${tx.orgId}, ${urlHash(url)}, ${preview ? JSON.stringify(preview) : null}, ${preview?.imageId ?? null}, true, ${until})
    on conflict (org_id, url_hash) do update set preview = excluded.preview, image_file_id = excluded.image_file_id,
      fetched = true, expires_at = excluded.expires_at`)
}

/** Ends a failed job: the message stays without a preview. */
export const forgetPreview = (db: Queryable, job: Job): Promise<void> => finishJob(db, job)

/** Removes the preview of the caller's own message for good. */
export async function removePreview(tx: Transaction, caller: Caller, messageId: string): Promise<void> {
  const message = await readMessage(caller, tx, messageId)
  if (!message) throw refusal('message_not_found')
  if (message.sender_id !== caller.profileId) throw refusal('forbidden')
  const { preview } = message.details ?? {}
  if (!preview) return
  if (preview.imageId !== undefined) await releaseFiles(tx, [preview.imageId])
  await tx.query(sql`
    update messages set details = details - 'preview' where org_id = ${tx.orgId} and id = ${message.id}`)
  const { topic_id: topicId } = message
  await emitToPeople(tx, 'message.previewed', topicId, { topicId, messageId: message.id, preview: null })
}

/**
 * Asks for previews of texts that were just written, beside the path of their sends: texts that a crash swallows here have no
 * preview. Organizations that want none get no jobs.
 */
export async function wantPreviews(
  db: Queryable,
  messages: readonly { orgId: string; id: string }[],
  now: number,
): Promise<void> {
  await db.query(sql`
    with added as (
      insert into jobs (id, org_id, kind, message_id, due_at, created_at)
      select gen_random_uuid(), x.org_id, 'preview', x.id, ${now}, ${now}
      from unnest(${messages.map(({ orgId }) => orgId)}::uuid[], ${messages.map(({ id }) => id)}::uuid[]) as x (org_id, id)
      join organizations o on o.org_id = x.org_id and o.link_previews
      returning id
    )
    select pg_notify(${jobsChannel('preview')}, '') from added limit 1`)
}

/** Forgets previews that were to be asked for again. Messages keep what they show. */
export async function forgetOldPreviews(tx: OpenTransaction, now: number, limit: number): Promise<boolean> {
  const rows = await cleanSome<{ image_file_id: string | null }>(tx, {
    table: 'link_previews',
    key: 'org_id, url_hash',
    where: sql`expires_at <= ${now}`,
    limit,
    returning: sql`image_file_id`,
  })
  await releaseFiles(
    tx,
    rows.flatMap(({ image_file_id }) => image_file_id ?? []),
  )
  return rows.length === limit
}
