import { deliverDueMail } from '../mail/deliver.ts'
import { outboxFolder } from '../mail/outbox.ts'
import { openMailSender } from '../mail/sender.ts'
import type { Installation } from './installation.ts'

/** Sees to the mail that a command queued, and says in a sentence what became of it. */
export async function deliverMail(
  { config, db, secrets, serverRuns }: Installation,
  to: string,
): Promise<string> {
  if (serverRuns) return `It is also on its way to ${to}.`
  const sender = openMailSender(config)
  const failures: unknown[] = []
  try {
    await deliverDueMail({ db, secrets, clock: Date.now }, sender, ({ error }) => failures.push(error))
  } finally {
    sender.close()
  }
  const [failure] = failures
  if (failure !== undefined) {
    const reason = failure instanceof Error ? failure.message : String(failure)
    return `It could not be mailed now (${reason}); the server will try again. \`parley doctor\` checks SMTP_URL.`
  }
  return config.smtpUrl === undefined
    ? `No SMTP_URL is set: the mail to ${to} is in ${outboxFolder(config.dataDir)}.`
    : `It was also mailed to ${to}.`
}
