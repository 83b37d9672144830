import { rm, stat } from 'node:fs/promises'
import { publishUpload } from '../actions/messages/uploads.ts'
import { sql } from '../db/sql.ts'
import { Refusal } from '../errors.ts'
import { type Files, findFile } from '../files/files.ts'
import type { Images } from '../files/images/images.ts'
import type { Sniffed } from '../files/kinds.ts'
import type { Job } from '../jobs/queue.ts'
import type { JobDefinition } from '../jobs/runner.ts'
import type { Parley } from '../parley.ts'
import type { PendingRow, StoredAttachment } from '../queries/messages/messages.ts'

const RETRY_AFTER_MS = [1000, 10_000]

/** Looks into the files of a message, makes images fit to be shown, and lets the message appear. */
export function processing(parley: Pick<Parley, 'db' | 'files' | 'images' | 'log'>): JobDefinition {
  const { db, files, images, log } = parley
  const attachmentsOf = async (job: Job): Promise<Pick<PendingRow, 'attachments' | 'compress_images'>> => {
    const [row] = await db.query<PendingRow>(sql`
      select attachments, compress_images from pending_messages
      where org_id = ${job.orgId} and id = ${job.messageId}`)
    return row ?? { attachments: [], compress_images: false } // deleted since
  }
  /** The attachment as stored, without results of earlier attempts. */
  const asPlainFile = async (orgId: string, attachment: StoredAttachment): Promise<StoredAttachment> =>
    plainFile({ ...attachment, ...(await findFile(db, orgId, attachment.id)) })
  return {
    kind: 'process',
    concurrency: 8,
    concurrencyOfOne: 2,
    retryAfterMs: RETRY_AFTER_MS,

    async perform(job, signal) {
      const { attachments, compress_images } = await attachmentsOf(job)
      const isLastTry = job.attempts > RETRY_AFTER_MS.length
      const processed: StoredAttachment[] = []
      for (const attachment of attachments) {
        processed.push(
          await processFile(attachment, {
            files,
            remake: (paths) => images.remake(job.orgId, paths, { compress: compress_images, signal }),
            measure: (path, sniffed) => images.measure(job.orgId, path, sniffed, signal),
          }).catch((error: unknown) => {
            // A refused file, such as an image that takes too long, would be refused again.
            if (!isLastTry && !(error instanceof Refusal)) throw error
            log.warn(
              { err: error, messageId: job.messageId },
              'a file could not be processed; it is sent as it is',
            )
            return asPlainFile(job.orgId, attachment)
          }),
        )
      }
      await db.write(job.orgId, (tx) => publishUpload(tx, job, processed))
    },

    /** Each try ended with the server: the file that did that is not looked at again. */
    async giveUp(job) {
      const { attachments } = await attachmentsOf(job)
      const plain = await Promise.all(attachments.map((attachment) => asPlainFile(job.orgId, attachment)))
      await db.write(job.orgId, (tx) => publishUpload(tx, job, plain))
    },
  }
}

/** An attachment that has not been inspected. */
export const plainFile = ({ id, name, contentType, size }: StoredAttachment): StoredAttachment => ({
  id,
  type: 'file',
  ...(name !== undefined && { name }),
  contentType,
  size,
})

type Means = {
  files: Files
  remake(paths: Parameters<Images['remake']>[1]): ReturnType<Images['remake']>
  measure(path: string, sniffed: Sniffed): ReturnType<Images['measure']>
}

/** An attachment as shown: images encoded again with a thumbnail, sounds and films with their length. */
export async function processFile(attachment: StoredAttachment, means: Means): Promise<StoredAttachment> {
  const { files } = means
  if (attachment.type === 'image') return processImage(attachment, means)
  if (attachment.type === 'file') return attachment
  const { kind, ...facts } = await files.storage.lend(attachment.id, (path) =>
    means.measure(path, { kind: attachment.type, contentType: attachment.contentType }),
  )
  if (facts.contentType !== attachment.contentType) await files.relabel(attachment.id, facts.contentType)
  const { waveform, ...rest } = attachment
  return { ...rest, type: kind, ...facts, ...(kind === 'audio' && waveform && { waveform }) }
}

/** The new image replaces the original. An attempt after a crash may find either, and can start from both. */
async function processImage(
  attachment: StoredAttachment,
  { files, remake }: Means,
): Promise<StoredAttachment> {
  const [target, thumbnail] = [files.draftPath(), files.draftPath()]
  try {
    const picture = await files.storage.lend(attachment.id, (path) => remake({ path, target, thumbnail }))
    const { size } = await stat(target)
    await files.replace(attachment.id, { path: target, contentType: picture.contentType, size }, thumbnail)
    return { ...attachment, ...picture, size, thumbnail: true }
  } finally {
    await Promise.all([target, thumbnail].map((path) => rm(path, { force: true })))
  }
}
