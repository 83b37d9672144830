import { findFile } from '../files/files.ts'
import { NoSuchFile } from '../files/storage/storage.ts'
import { finishJob, type Job } from '../jobs/queue.ts'
import type { JobDefinition } from '../jobs/runner.ts'
import type { Parley } from '../parley.ts'
import { keepFileText, MAX_FILE_TEXT } from '../search/file-texts.ts'

/** Reads the text inside a file for search. A file that cannot be read has none, and is not tried again. */
export function textReading({ db, files, images }: Pick<Parley, 'db' | 'files' | 'images'>): JobDefinition {
  const keep = (job: Job, text: string) =>
    db.transaction(async (tx) => {
      await keepFileText(tx, job.orgId, job.attachmentId ?? '', text)
      await finishJob(tx, job)
    })
  return {
    kind: 'text',
    concurrency: 2,
    concurrencyOfOne: 1,
    retryAfterMs: [5000, 60_000],

    async perform(job, signal) {
      const file = await findFile(db, job.orgId, job.attachmentId ?? '')
      if (!file) return keep(job, '') // deleted since
      const { contentType } = file
      const text = await files.storage
        .lend(file.id, (path) =>
          images.readText(job.orgId, { path, contentType, limit: MAX_FILE_TEXT }, signal),
        )
        .catch((error: unknown) => {
          if (error instanceof NoSuchFile) return ''
          throw error
        })
      await keep(job, text)
    },

    giveUp: (job) => keep(job, ''),
  }
}
