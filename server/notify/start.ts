import type { Parley } from '../parley.ts'
import { Worker } from '../worker.ts'
import { DigestSender } from './digest.ts'
import { NotificationFollower } from './follower.ts'
import { PushSender, type PushSenderOptions } from './push-sender.ts'
import { remindPeople } from './reminders.ts'

/** The wait after a failed look at reminders; otherwise the worker knows when the next one is due. */
const REMIND_MS = 2000

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
  const reminders = new Worker('reminders', parley, REMIND_MS, (noteFailure) =>
    remindPeople(parley, () => pushes?.wake(), noteFailure),
  )
  return {
    async stop() {
      await Promise.all([follower.stop(), reminders.stop()])
      await Promise.all([pushes?.stop(), digests?.stop()])
    },
  }
}
