import type { Parley } from '../parley.ts'
import { DigestSender } from './digest.ts'
import { NotificationFollower } from './follower.ts'
import { PushSender, type PushSenderOptions } from './push-sender.ts'

/** Decides whom messages are told to, and tells them, for as long as the server runs. */
export function startNotifying(parley: Parley, options: PushSenderOptions = {}): { stop(): Promise<void> } {
  const pushes = parley.config.webPush ? new PushSender(parley, options) : undefined
  const digests = parley.config.smtpUrl !== undefined ? new DigestSender(parley, options) : undefined
  const follower = new NotificationFollower(parley, { ...options, onPushes: () => pushes?.wake() })
  return {
    async stop() {
      await follower.stop()
      await Promise.all([pushes?.stop(), digests?.stop()])
    },
  }
}
