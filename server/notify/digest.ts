import { isHere } from '../auth/sessions.ts'
import { crossing, nothing, sql } from '../db/sql.ts'
import { queueMail } from '../mail/queue.ts'
import { asIs, mailWords } from '../mail/words.ts'
import type { Parley } from '../parley.ts'
import {
  type NotificationSettingsRow,
  notificationSettingColumns,
} from '../queries/members/notification-settings.ts'
import { type NoteFailure, Worker } from '../worker.ts'
import { type MissedTopic, takeMissed } from './missed.ts'
import { isQuiet } from './quiet-hours.ts'
import { unsubscribeUrl } from './unsubscribe-link.ts'

type Parts = Pick<Parley, 'clock' | 'config' | 'db' | 'log' | 'secrets' | 'workers'>

const POLL_MS = 30_000
const HOUR_MS = 3_600_000
/** Minimum time between two mails to a person who has not been back. */
const NEXT_AFTER_MS = 24 * HOUR_MS
/** Last visits are stored to the hour. */
const NOTED_TO_MS = HOUR_MS
/** Time after which quiet hours are checked again. */
const QUIET_AGAIN_MS = 15 * 60_000
const PEOPLE_AT_ONCE = 100
/** Topics listed in one mail. */
const MAX_LINES = 20

type DuePerson = Omit<NotificationSettingsRow, 'keywords'> & {
  orgId: string
  profileId: string
  organization: string
  /** Null if they have no account, and so get no mail. */
  email: string | null
  isActive: boolean
  /** The earliest time of the next mail. */
  notBefore: number
}

/** Tells people by mail of what they have not read for a while: once for everything that has come together. */
export class DigestSender {
  readonly #parley: Parts
  readonly #worker: Worker
  #stopping = false

  constructor(parley: Parts, { pollMs = POLL_MS }: { pollMs?: number } = {}) {
    this.#parley = parley
    this.#worker = new Worker('mail about missed messages', parley, pollMs, (noteFailure) =>
      this.#look(noteFailure),
    )
  }

  async stop(): Promise<void> {
    this.#stopping = true
    await this.#worker.stop()
  }

  /** Goes through all people once. A failed mail does not hold up the others. */
  async #look(noteFailure: NoteFailure): Promise<void> {
    for (let last: DuePerson | undefined; ; ) {
      const people = await this.#readDue(last)
      for (const person of people) {
        if (this.#stopping) return
        const { orgId, profileId } = person
        await this.#tell(person).catch((error: unknown) => noteFailure(error, { orgId, profileId }))
      }
      if (people.length < PEOPLE_AT_ONCE) return
      last = people.at(-1)
    }
  }

  #readDue(last: DuePerson | undefined): Promise<DuePerson[]> {
    const { db, clock } = this.#parley
    const behind = last ? sql`and (org_id, profile_id) > (${last.orgId}, ${last.profileId})` : nothing
    const hasBeenBack = sql`p.last_seen_at > n.mailed_at - ${NOTED_TO_MS}`
    return db.query<DuePerson>(sql`${crossing('what is due is looked for in all organizations')}
      select p.org_id as "orgId", p.id as "profileId", o.name as organization, a.email,
        ${isHere(clock())} as "isActive", ${notificationSettingColumns},
        case when n.mailed_at is null or ${hasBeenBack} then 0 else n.mailed_at + ${NEXT_AFTER_MS} end as "notBefore"
      from (
        select distinct org_id, profile_id from missed_messages where due_at <= ${clock()} ${behind}
        order by org_id, profile_id limit ${PEOPLE_AT_ONCE}
      ) m
      join profiles p on p.org_id = m.org_id and p.id = m.profile_id
      join organizations o on o.org_id = p.org_id
      left join accounts a on a.id = p.account_id
      left join notification_settings n on n.org_id = p.org_id and n.profile_id = p.id
      order by p.org_id, p.id`)
  }

  /** Taking entries out of the list and queueing the mail are one transaction: of two nodes, the second finds nothing left. */
  async #tell(person: DuePerson): Promise<void> {
    const { db, clock, secrets, config } = this.#parley
    const { orgId, profileId, email } = person
    const now = clock()
    const later = isQuiet(person, now) ? now + QUIET_AGAIN_MS : person.notBefore
    if (person.mailAfterMinutes > 0 && later > now) {
      await db.query(sql`
        update missed_messages set due_at = ${later}
        where org_id = ${orgId} and profile_id = ${profileId} and due_at <= ${now}`)
      return
    }
    await db.transaction(async (tx) => {
      const missed = await takeMissed(tx, person)
      if (missed.length === 0 || person.mailAfterMinutes === 0 || !person.isActive || email === null) return
      await tx.query(sql`
        insert into notification_settings (org_id, profile_id, mailed_at) values (${orgId}, ${profileId}, ${now})
        on conflict (org_id, profile_id) do update set mailed_at = excluded.mailed_at`)
      const unsubscribe = unsubscribeUrl(secrets, config, person)
      await queueMail(tx, secrets, {
        ...digestFor({ ...person, email }, missed, config.baseUrl, unsubscribe),
        unsubscribe,
      })
    })
  }
}

/** Names senders, topics and counts, but quotes no text, because mail can be read in transit. */
function digestFor(
  { organization, email, orgId }: DuePerson & { email: string },
  missed: readonly MissedTopic[],
  baseUrl: string,
  unsubscribe: string,
) {
  const total = missed.reduce((sum, { count }) => sum + count, 0)
  const lines = missed.slice(0, MAX_LINES).map(lineOf)
  const rest = missed.length > MAX_LINES ? mailWords`\n- and ${missed.length - MAX_LINES} more topics` : ''
  return {
    to: email,
    subject: mailWords`${messages(total)} for you in ${organization}`,
    text: mailWords`Unread messages in ${organization}:

${asIs(lines.join('\n') + rest)}

Read them: ${asIs(`${baseUrl}/o/${orgId}`)}

Change when you get these mails: ${asIs(`${baseUrl}/o/${orgId}/settings/notifications`)}
Unsubscribe: ${asIs(unsubscribe)}
`,
  }
}

const messages = (count: number): string => (count === 1 ? '1 message' : `${count} messages`)

function lineOf({ isDirect, name, senders, count }: MissedTopic): string {
  const from = senders.join(', ')
  return isDirect
    ? mailWords`- ${from}: ${messages(count)}`
    : mailWords`- ${name}: ${messages(count)} from ${from}`
}
