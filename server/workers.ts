import { AuditSender } from './audit-delivery/worker.ts'
import { LOOK_MS as INVITATIONS_LOOK_MS, sendAskedInvitations } from './background/asked-invitations.ts'
import { startCleanUps } from './background/clean-ups.ts'
import { followDirectory } from './background/directory-people.ts'
import { endDueGuests, LOOK_MS as GUESTS_LOOK_MS } from './background/due-guests.ts'
import { LOOK_MS, sendDueMessages } from './background/due-messages.ts'
import { closeDueQuestions } from './background/due-questions.ts'
import { type DueOptions, DueRounds } from './background/due-rounds.ts'
import { eraseData } from './background/erasures.ts'
import { deleteOldMessages, LOOK_MS as MESSAGE_RETENTION_LOOK_MS } from './background/message-retention.ts'
import { makeDueBackup } from './backup/schedule.ts'
import { removeOldEvents } from './events/log-retention.ts'
import { openTranscriber } from './files/voice/transcriber.ts'
import { JobRunner } from './jobs/runner.ts'
import { continueRotation } from './keys/rotation.ts'
import type { IsDue } from './lookout.ts'
import { startMailDelivery } from './mail/deliver.ts'
import { startNotifying } from './notify/start.ts'
import type { Parley } from './parley.ts'
import { previewing } from './previews/preview.ts'
import { isInvitationDue } from './queries/members/invitations.ts'
import { isQuestionDue } from './queries/messages/questions.ts'
import { isMessageDue } from './queries/messages/scheduled-messages.ts'
import { isGuestDue } from './queries/topics/guests.ts'
import { IS_BEHIND, LOOK_MS as SEARCH_LOOK_MS } from './search/indexer.ts'
import { indexing } from './search/pace.ts'
import { processing } from './uploads/process.ts'
import { textReading } from './uploads/read-text.ts'
import { transcription } from './uploads/transcribe.ts'
import { Dispatcher } from './webhooks/dispatcher.ts'
import { type NoteFailure, Worker } from './worker.ts'

const MINUTE_MS = 60_000
/** Time after which a failed backup is tried again. */
const BACKUP_LOOK_MS = 600_000

/** Often enough that nothing stays much longer than it is kept, however short that is. */
const eventRetentionInterval = (retentionMs: number): number =>
  Math.min(MINUTE_MS, Math.max(1000, retentionMs / 10))

type DueWork = (parley: Parley, options: DueOptions) => Promise<number | undefined>

/** The work of the role `worker` beside answering requests. */
export async function startWorkers(parley: Parley): Promise<{ stop(): Promise<void> }> {
  const { ldap } = parley.config
  const ending = new AbortController()
  const previews = previewing(parley)
  const inRounds = (name: string, everyMs: number, work: DueWork, isDue?: IsDue): Worker => {
    const rounds = new DueRounds()
    const run = (noteFailure: NoteFailure) => work(parley, { rounds, noteFailure })
    return new Worker(name, parley, everyMs, run, isDue && { isDue })
  }
  const workers = [
    ...startCleanUps(parley),
    new Worker('secret key rotation', parley, MINUTE_MS, () => continueRotation(parley)),
    startMailDelivery(parley),
    new JobRunner(parley, processing(parley)),
    new JobRunner(parley, transcription(parley, await openTranscriber(parley.config.transcription))),
    new JobRunner(parley, previews),
    new JobRunner(parley, textReading(parley)),
    new Worker('silent bots', parley, parley.config.streamingTimeoutMs / 10, (noteFailure) =>
      parley.streaming.endSilent(noteFailure),
    ),
    new Worker('files', parley, MINUTE_MS, (noteFailure) => parley.files.sweep(noteFailure)),
    new Worker('backups', parley, BACKUP_LOOK_MS, () => makeDueBackup(parley, ending.signal)),
    new Worker('search', parley, SEARCH_LOOK_MS, indexing(parley.db), { isDue: () => IS_BEHIND }),
    inRounds('scheduled messages', LOOK_MS, sendDueMessages, isMessageDue),
    inRounds('questions', LOOK_MS, closeDueQuestions, isQuestionDue),
    inRounds('guests', GUESTS_LOOK_MS, endDueGuests, isGuestDue),
    inRounds('asked invitations', INVITATIONS_LOOK_MS, sendAskedInvitations, isInvitationDue),
    inRounds('message retention', MESSAGE_RETENTION_LOOK_MS, deleteOldMessages),
    inRounds('erasures', MESSAGE_RETENTION_LOOK_MS, eraseData),
    ...(ldap && ldap.syncMs > 0
      ? [
          new Worker('directory', parley, ldap.syncMs, (noteFailure) =>
            followDirectory(parley, ldap, noteFailure),
          ),
        ]
      : []),
    new Dispatcher(parley),
    new AuditSender(parley),
    startNotifying(parley),
    new Worker(
      'event retention',
      parley,
      eventRetentionInterval(parley.config.updatesRetentionMs),
      (noteFailure) =>
        removeOldEvents(
          parley.db,
          parley.clock(),
          parley.config.updatesRetentionMs,
          (orgId, floorSeq) => parley.tail.forgetTo(orgId, floorSeq),
          noteFailure,
        ),
    ),
  ]
  return {
    async stop() {
      ending.abort()
      await Promise.all(workers.map((worker) => worker.stop()))
      await previews.close()
    },
  }
}
