import { type Sql, sql } from '../db/sql.ts'
import type { Parley } from '../parley.ts'
import { Worker } from '../worker.ts'
import { MAIL_CHANNEL, openMail } from './queue.ts'
import { type MailSender, openMailSender } from './sender.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** Waits between attempts. A mail that fails after the last one is set aside. */
const RETRY_AFTER_MS = [
  MINUTE_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  4 * HOUR_MS,
  8 * HOUR_MS,
  12 * HOUR_MS,
  24 * HOUR_MS,
  24 * HOUR_MS,
]
const MAX_TRIES = RETRY_AFTER_MS.length + 1
/** Longer than any attempt takes: only a mail whose sender died is claimed again. */
const LEASE_MS = 5 * MINUTE_MS
const BATCH = 5
const POLL_MS = 2_000
/** The due time of mail that was set aside. */
const NEVER = 8_640_000_000_000_000

type Parts = Pick<Parley, 'db' | 'secrets' | 'clock'>
type ClaimedMail = { id: string; content: Buffer; attempts: number; created_at: number }

/** `retryAt` is undefined after the last attempt. */
export type MailFailure = { mailId: string; attempt: number; retryAt: number | undefined; error: unknown }

/** Whether a mail is due. */
export const isMailDue = (until: number): Sql => sql`exists (select from mails where due_at <= ${until})`

/**
 * Sends what is due, and says how much that was. A row is leased, sent, then deleted: a crash in between sends it
 * again under the same Message-ID, and never loses it.
 */
export async function deliverDueMail(
  parts: Parts,
  sender: MailSender,
  onFailure: (failure: MailFailure) => void,
): Promise<number> {
  const claimed = await claim(parts)
  await Promise.all(
    claimed.map(async (mail) => {
      try {
        const message = { ...openMail(parts.secrets, mail), id: mail.id, createdAt: mail.created_at }
        await sender.send(message)
      } catch (error) {
        return onFailure(await postpone(parts, mail, error))
      }
      await parts.db.query(sql`delete from mails where id = ${mail.id}`)
    }),
  )
  return claimed.length
}

async function claim({ db, clock }: Parts): Promise<ClaimedMail[]> {
  const now = clock()
  return db.query<ClaimedMail>(sql`
    with due as materialized (
      select id from mails where due_at <= ${now} order by due_at limit ${BATCH} for update skip locked
    )
    update mails m set attempts = m.attempts + 1, due_at = ${now + LEASE_MS} from due where m.id = due.id
    returning m.id, m.content, m.attempts, m.created_at`)
}

/** Sets the next attempt, unless another sender has claimed the mail since. */
async function postpone({ db, clock }: Parts, mail: ClaimedMail, error: unknown): Promise<MailFailure> {
  const wait = RETRY_AFTER_MS[mail.attempts - 1]
  const retryAt = wait === undefined ? undefined : clock() + wait
  await db.query(sql`
    update mails set due_at = ${retryAt ?? NEVER} where id = ${mail.id} and attempts = ${mail.attempts}`)
  return { mailId: mail.id, attempt: mail.attempts, retryAt, error }
}

/** The operator may have mended what was wrong: mail that was set aside gets one more try at each start. */
async function retrySetAside({ db, clock }: Parts): Promise<void> {
  await db.query(sql`
    update mails set due_at = ${clock()}, attempts = ${MAX_TRIES - 1} where due_at = ${NEVER}`)
}

/** Delivers mail for as long as the server runs. */
export function startMailDelivery(
  parley: Pick<
    Parley,
    'clock' | 'config' | 'db' | 'log' | 'lookout' | 'notifications' | 'secrets' | 'workers'
  >,
): { wake(): void; stop(): Promise<void> } {
  const { config, log, notifications } = parley
  const sender = openMailSender(config)
  let stopping = false
  let hasRetried = false

  const deliver = async () => {
    if (!hasRetried) await retrySetAside(parley)
    hasRetried = true
    while (!stopping && (await deliverDueMail(parley, sender, logFailure)) === BATCH);
  }
  const worker = new Worker('mail', parley, POLL_MS, deliver, { isDue: isMailDue })
  notifications.on(MAIL_CHANNEL, () => worker.wake())

  function logFailure({ mailId, attempt, retryAt, error }: MailFailure): void {
    if (retryAt !== undefined) {
      log.warn({ err: error, mailId, attempt, retryAt }, 'mail could not be sent; it will be tried again')
    } else {
      const fix = '`parley doctor` checks SMTP_URL; after a restart it is tried once more'
      log.error({ err: error, mailId, attempt }, `mail was given up after ${MAX_TRIES} tries: ${fix}`)
    }
  }

  return {
    wake: () => worker.wake(),
    async stop() {
      stopping = true
      await worker.stop()
      sender.close()
    },
  }
}
