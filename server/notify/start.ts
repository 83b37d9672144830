import type { Parley } from '../parley.ts'
import { isReminderDue } from '../queries/messages/saved-messages.ts'
import { type NoteFailure, Worker } from '../worker.ts'
import { DigestSender } from './digest.ts'
import { NotificationFollower } from './follower.ts'
import { PushSender, type PushSenderOptions } from './push-sender.ts'
import { LOOK_MS, remindPeople } from './reminders.ts'

/** Runs all notifications for as long as the server runs: pushes, mails and reminders. */
export function startNotifying(
  parley: Pick<
    Parley,
    | 'activity'
    | 'clock'
    | 'config'
    | 'db'
    | 'ephemeral'
    | 'log'
    | 'lookout'
    | 'presence'
    | 'pushKey'
    | 'secrets'
    | 'wake'
    | 'workers'
  >,
  options: PushSenderOptions = {},
): { stop(): Promise<void> } {
  const pushes = parley.config.webPush ? new PushSender(parley, options) : undefined
  const digests = parley.config.smtpUrl !== undefined ? new DigestSender(parley, options) : undefined
  const follower = new NotificationFollower(parley, { ...options, onPushes: () => pushes?.wake() })
  const remind = (noteFailure: NoteFailure) => remindPeople(parley, () => pushes?.wake(), noteFailure)
  const reminders = new Worker('reminders', parley, LOOK_MS, remind, { isDue: isReminderDue })
  return {
    async stop() {
      await Promise.all([follower.stop(), reminders.stop()])
      await Promise.all([pushes?.stop(), digests?.stop()])
    },
  }
}
