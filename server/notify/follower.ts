import { crossing, sql } from '../db/sql.ts'
import type { OpenTransaction } from '../db/transaction.ts'
import type { Parley } from '../parley.ts'
import { presentFollowedThread } from '../presenters/chat.ts'
import { readFollowers } from '../queries/messages/threads.ts'
import { deletedIds } from '../queries/organization/message-retention.ts'
import { type NoteFailure, Worker } from '../worker.ts'
import { type Listener, mayConcernSomebody, readListeners } from './audience.ts'
import { keepMissed } from './missed.ts'
import { type NoticeMessage, presentNotice, readNoticeMessages } from './notices.ts'
import { addPushes, withdrawDeleted } from './push-queue.ts'
import { isQuiet } from './quiet-hours.ts'

type Parts = Pick<
  Parley,
  'activity' | 'clock' | 'config' | 'db' | 'ephemeral' | 'log' | 'lookout' | 'presence' | 'wake' | 'workers'
>

/** Events of one organization that are read together. */
const PAGE = 500
/** A busy server looks a few times a second at most. */
const COALESCE_MS = 200
/** How many times as long as the last look took the next one waits: with many organizations at once, sends go first. */
const REST_FACTOR = 10
/** Finds what an announcement that was lost would have told, and new organizations. */
const POLL_MS = 2000
/** Messages older than this, after a long outage, cause no notification. */
const TOO_OLD_MS = 24 * 3_600_000

/** Whether the follower is behind in an organization, or one is new. */
export const IS_BEHIND = sql`exists (
  select from organization_logs l left join notification_readers r on r.org_id = l.org_id
  where r.org_id is null or r.position < l.last_seq)`

type Told = { profileId: string; message: NoticeMessage }

/**
 * Follows the log of every organization and decides who is notified of each message. The node that works holds the
 * organization's row; its position and its decisions are one transaction, so that each message is decided on once, by
 * one of the nodes.
 */
export class NotificationFollower {
  readonly #parley: Parts
  readonly #onPushes: () => void
  readonly #worker: Worker
  readonly #heard = new Set<string>()
  #timer: NodeJS.Timeout | undefined
  #lookedAt = 0
  #lookMs = 0
  #stopping = false
  readonly #pollMs: number

  constructor(parley: Parts, { onPushes, pollMs = POLL_MS }: { onPushes(): void; pollMs?: number }) {
    this.#parley = parley
    this.#onPushes = onPushes
    this.#pollMs = pollMs
    this.#worker = new Worker('notifications', parley, pollMs, (noteFailure) => this.#look(noteFailure), {
      isDue: () => IS_BEHIND,
      onDue: () => {
        this.#lookedAt = Number.NEGATIVE_INFINITY
      },
    })
    parley.wake.onEvents(({ orgId }) => this.#hear(orgId))
  }

  async stop(): Promise<void> {
    this.#stopping = true
    clearTimeout(this.#timer)
    await this.#worker.stop()
  }

  #hear(orgId: string): void {
    if (this.#stopping) return
    this.#heard.add(orgId)
    this.#timer ??= setTimeout(
      () => {
        this.#timer = undefined
        this.#worker.wake()
      },
      Math.max(Math.min(COALESCE_MS, this.#pollMs), REST_FACTOR * this.#lookMs),
    )
  }

  async #look(noteFailure: NoteFailure): Promise<void> {
    const heard = [...this.#heard]
    this.#heard.clear()
    const began = performance.now()
    await this.#followAll(heard, noteFailure)
    this.#lookMs = performance.now() - began
    if (began - this.#lookedAt < this.#pollMs) return
    // A failed organization makes this round no success, so the next one looks at all of them again.
    if (await this.#followAll(await this.#findBehind(), noteFailure)) this.#lookedAt = began
  }

  /**
   * Goes through the organizations page by page, each in its turn, so that one with much to do or that fails holds up no other. Returns
   * whether all went well.
   */
  async #followAll(orgIds: readonly string[], noteFailure: NoteFailure): Promise<boolean> {
    let isWell = true
    for (let left = orgIds; left.length > 0 && !this.#stopping; ) {
      const behind: string[] = []
      for (const orgId of left)
        try {
          if (await this.#follow(orgId)) behind.push(orgId)
        } catch (error) {
          this.#lookedAt = 0
          isWell = false
          noteFailure(error, { orgId })
        }
      left = behind
    }
    return isWell
  }

  async #findBehind(): Promise<string[]> {
    const { db } = this.#parley
    await db.query(sql`${crossing('what is due is looked for in all organizations')}
      insert into notification_readers (org_id, position)
      select l.org_id, 0 from organization_logs l
      where not exists (select from notification_readers r where r.org_id = l.org_id)
      on conflict do nothing`)
    const rows = await db.query<{
      orgId: string
    }>(sql`${crossing('what is due is looked for in all organizations')}
      select r.org_id as "orgId" from notification_readers r join organization_logs l on l.org_id = r.org_id
      where r.position < l.last_seq`)
    return rows.map(({ orgId }) => orgId)
  }

  /** Decides on one page of events of an organization. Returns whether there is more. */
  async #follow(orgId: string): Promise<boolean> {
    if (this.#stopping) return false
    const page = await this.#parley.db.transaction((open) => this.#decide(open, orgId))
    if (!page) return false
    for (const { profileId, message } of page.told) {
      const data = presentNotice(message)
      this.#parley.ephemeral.send({ orgId, type: 'notification', profileId, data })
    }
    for (const row of page.followers) {
      const thread = { ...presentFollowedThread(row), following: true, isTold: true as const }
      this.#parley.ephemeral.send({ orgId, type: 'state', profileId: row.profile_id, data: { thread } })
    }
    if (page.hasPushes) this.#onPushes()
    return !page.isLast
  }

  async #decide(open: OpenTransaction, orgId: string) {
    const { clock, config } = this.#parley
    const now = clock()
    const [reader] = await open.query<{ position: number; lastSeq: number }>(sql`
      select r.position, l.last_seq as "lastSeq"
      from notification_readers r join organization_logs l on l.org_id = r.org_id
      where r.org_id = ${orgId} and r.position < l.last_seq for no key update of r skip locked`)
    if (!reader) return undefined
    const { position, lastSeq } = reader
    const end = Math.min(position + PAGE, lastSeq)
    const events = await open.query<{ type: string; messageIds: string[] }>(sql`
      select e.type, case when e.type = 'message.deleted' then ${deletedIds(sql`e.data`)}
        else array[e.data #>> '{message,id}'] end as "messageIds" from events e
      where e.org_id = ${orgId} and e.seq > ${position} and e.seq <= ${end} and e.created_at > ${now - TOO_OLD_MS}
        and (e.type = 'message.deleted' or e.type = 'message.created' and ${mayConcernSomebody(orgId)})`)
    const idsOf = (type: string) =>
      events.filter((one) => one.type === type).flatMap(({ messageIds }) => messageIds)
    const places = idsOf('message.created').map((messageId) => ({ orgId, messageId }))
    const messages = places.length > 0 ? await readNoticeMessages(open, places) : []
    const listeners = messages.length > 0 ? await readListeners(open, orgId, messages) : []
    const awake = listeners.filter((listener) => !isQuiet(listener, now))
    const away = awake.filter((listener) => !this.#isActiveElsewhere(orgId, listener))
    const byId = new Map(messages.map((message) => [message.id, message]))
    const hasPushes = config.webPush && away.length > 0 && (await addPushes(open, orgId, away, byId))
    if (config.smtpUrl !== undefined) await keepMissed(open, orgId, listeners, byId)
    const deleted = idsOf('message.deleted')
    const hasClosing = deleted.length > 0 && (await withdrawDeleted(open, orgId, deleted))
    await open.query(sql`update notification_readers set position = ${end} where org_id = ${orgId}`)
    return {
      told: this.#thoseHere(orgId, awake, byId),
      followers: await this.#followersHere(open, orgId, messages),
      hasPushes: hasPushes || hasClosing,
      isLast: end === lastSeq,
    }
  }

  /** Followers who are here, with their states of the threads that were replied in. */
  #followersHere(open: OpenTransaction, orgId: string, messages: readonly NoticeMessage[]) {
    const threadIds = [...new Set(messages.flatMap(({ threadId }) => threadId ?? []))]
    if (threadIds.length === 0) return []
    return readFollowers(open, orgId, threadIds, new Set(this.#parley.presence.online(orgId)))
  }

  #isActiveElsewhere(orgId: string, { profileId, notWhileActive }: Listener): boolean {
    return notWhileActive && this.#parley.activity.isActive(orgId, profileId)
  }

  /** Notices for open pages, which decide themselves: the page in front shows nothing. */
  #thoseHere(orgId: string, awake: readonly Listener[], byId: ReadonlyMap<string, NoticeMessage>): Told[] {
    if (awake.length === 0) return []
    const online = new Set(this.#parley.presence.online(orgId))
    return awake.flatMap(({ profileId, messageId }) => {
      const message = byId.get(messageId)
      return message && online.has(profileId) ? [{ profileId, message }] : []
    })
  }
}
