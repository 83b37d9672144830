import { rm, stat } from 'node:fs/promises'
import { publishUpload } from '../actions/uploads.ts'
import { sql } from '../db/sql.ts'
import type { Job } from '../jobs/queue.ts'
import type { JobDefinition } from '../jobs/runner.ts'
import type { Parley } from '../parley.ts'
import type { PendingRow, StoredAttachment } from '../queries/messages.ts'
import { type Files, findFile } from './files.ts'
import { makeThumbnail, remakeImage } from './images.ts'
import { inspectMedia } from './media.ts'

const RETRY_AFTER_MS = [1000, 10_000]

/** Looks into the files of a message, makes images fit to be shown, and lets the message appear. */
export function processing({ db, files, log }: Pick<Parley, 'db' | 'files' | 'log'>): JobDefinition {
  const attachmentsOf = async (job: Job): Promise<Pick<PendingRow, 'attachments' | 'compress_images'>> => {
    const [row] = await db.query<PendingRow>(sql`
      select attachments, compress_images from pending_messages
      where org_id = ${job.orgId} and id = ${job.messageId}`)
    return row ?? { attachments: [], compress_images: false } // deleted meanwhile
  }
  /** As it lies in the store, whatever earlier tries made of it. */
  const asPlainFile = async (attachment: StoredAttachment): Promise<StoredAttachment> => {
    const { name } = attachment
    const { id, contentType, size } = (await findFile(db, attachment.id)) ?? attachment
    return { id, type: 'file', ...(name !== undefined && { name }), contentType, size }
  }
  return {
    kind: 'process',
    concurrency: 2,
    retryAfterMs: RETRY_AFTER_MS,

    async perform(job) {
      const { attachments, compress_images } = await attachmentsOf(job)
      const isLastTry = job.attempts > RETRY_AFTER_MS.length
      const processed: StoredAttachment[] = []
      for (const attachment of attachments) {
        processed.push(
          await processFile(files, attachment, compress_images).catch((error: unknown) => {
            if (!isLastTry) throw error
            log.warn(
              { err: error, messageId: job.messageId },
              'a file could not be processed; it is sent as it is',
            )
            return asPlainFile(attachment)
          }),
        )
      }
      await db.write(job.orgId, (tx) => publishUpload(tx, job, processed))
    },

    /** Each try ended with the server: what did that is not looked at again. */
    async giveUp(job) {
      const { attachments } = await attachmentsOf(job)
      const plain = await Promise.all(attachments.map(asPlainFile))
      await db.write(job.orgId, (tx) => publishUpload(tx, job, plain))
    },
  }
}

async function processFile(
  files: Files,
  attachment: StoredAttachment,
  compress: boolean,
): Promise<StoredAttachment> {
  if (attachment.type === 'image') return processImage(files, attachment, compress)
  if (attachment.type === 'file') return attachment
  const { kind, ...facts } = await files.storage.lend(attachment.id, (path) =>
    inspectMedia(path, { kind: attachment.type, contentType: attachment.contentType }),
  )
  if (facts.contentType !== attachment.contentType) await files.relabel(attachment.id, facts.contentType)
  return { ...attachment, type: kind, ...facts }
}

/** The image takes the place of what was sent. A try that follows a crash finds either, and both are fine to begin with. */
async function processImage(
  files: Files,
  attachment: StoredAttachment,
  compress: boolean,
): Promise<StoredAttachment> {
  const [image, thumbnail] = [files.draftPath(), files.draftPath()]
  try {
    const picture = await files.storage.lend(attachment.id, async (path) => {
      await makeThumbnail(path, thumbnail)
      return remakeImage(path, image, { compress })
    })
    const { size } = await stat(image)
    await files.replace(attachment.id, { path: image, contentType: picture.contentType, size }, thumbnail)
    return { ...attachment, ...picture, size, thumbnail: true }
  } finally {
    await Promise.all([image, thumbnail].map((path) => rm(path, { force: true })))
  }
}
