import { recordTranscription } from '../actions/messages/uploads.ts'
import { findFile } from '../files/files.ts'
import { NoSuchFile } from '../files/storage/storage.ts'
import { NO_ENGINE_HELP, type Transcriber } from '../files/voice/transcriber.ts'
import type { Job } from '../jobs/queue.ts'
import type { JobDefinition } from '../jobs/runner.ts'
import type { Parley } from '../parley.ts'

/** Turns voice into text with the engine there is; without one, every voice message says that it failed. */
export function transcription(
  { db, files, log }: Pick<Parley, 'db' | 'files' | 'log'>,
  engine: Transcriber | undefined,
): JobDefinition {
  const fail = async (job: Job, why: { reason?: 'no_engine' } = {}): Promise<void> => {
    await db.write(job.orgId, (tx) => recordTranscription(tx, job, { status: 'Failed', ...why }))
  }
  return {
    kind: 'transcribe',
    concurrency: 1,
    concurrencyOfOne: 1,
    retryAfterMs: [5000, 60_000],

    async perform(job, signal) {
      if (!engine) {
        log.warn({ messageId: job.messageId }, NO_ENGINE_HELP)
        return fail(job, { reason: 'no_engine' })
      }
      try {
        const fileId = job.attachmentId ?? ''
        const file = await findFile(db, job.orgId, fileId)
        const text = await files.storage.lend(fileId, (path) =>
          engine.transcribe(path, signal, file?.contentType),
        )
        await db.write(job.orgId, (tx) => recordTranscription(tx, job, { status: 'Done', text }))
      } catch (error) {
        if (!(error instanceof NoSuchFile)) throw error
        await fail(job) // deleted since
      }
    },

    giveUp: (job) => fail(job),
  }
}
