import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isDestinationDue } from '../server/audit-delivery/worker.ts'
import { type Sql, sql, verbatim } from '../server/db/sql.ts'
import type { OpenTransaction } from '../server/db/transaction.ts'
import { newUuid } from '../server/ids.ts'
import { isJobDue } from '../server/jobs/queue.ts'
import { findDue, type IsDue } from '../server/lookout.ts'
import { isMailDue } from '../server/mail/deliver.ts'
import { IS_BEHIND as IS_UNTOLD } from '../server/notify/follower.ts'
import { isPushDue } from '../server/notify/push-queue.ts'
import { isInvitationDue } from '../server/queries/members/invitations.ts'
import { isQuestionDue } from '../server/queries/messages/questions.ts'
import { isReminderDue } from '../server/queries/messages/saved-messages.ts'
import { isMessageDue } from '../server/queries/messages/scheduled-messages.ts'
import { isGuestDue } from '../server/queries/topics/guests.ts'
import { IS_BEHIND as IS_UNSEARCHED, indexEverything } from '../server/search/indexer.ts'
import { isAnyDue } from '../server/webhooks/claim.ts'
import { isTestDue } from '../server/webhooks/test-sender.ts'
import { Worker } from '../server/worker.ts'
import { startWorkers } from '../server/workers.ts'
import { organization, type StaticTestBot, staticBot } from './support/cast.ts'
import { eventuallyHolds } from './support/eventually.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { itAtNight } from './support/thorough.ts'

/** Each kind of work: its condition, the rows that make something due, and one change that makes them wait. */
type Kind = { name: string; isDue: IsDue; rows: Row[]; waits?: Row['values'] }
type Row = { table: string; values: Record<string, unknown> }

const LATER = 9e15
const NOW = 1e12
const PERSON = '3f0c7c2e-55c5-4d0c-9a1e-0a8f1d6b2c11'
const FURTHER = 'w@3f0c7c2e-55c5-4d0c-9a1e-0a8f1d6b2c11'

let server: TestParley
let orgId: string
let bot: StaticTestBot

beforeAll(async () => {
  server = await startTestParley()
  orgId = await organization(server)
  bot = await staticBot(server, orgId)
  await server.parley.db.query(sql`
    insert into notification_readers (org_id, position) select org_id, last_seq from organization_logs`)
  await indexEverything(server.parley.db)
})
afterAll(() => server?.close())

const kinds = (): Kind[] => {
  const botId = bot?.id
  const webhook = { table: 'bots', values: { webhook_url: 'https://example.com', delivery: 'webhook' } }
  const delivery = { table: 'deliveries', values: { bot_id: botId, state: 'pending', due_at: 1 } }
  const further = { table: 'webhook_addresses', values: { bot_id: botId, id: FURTHER } }
  return [
    {
      name: 'a job',
      isDue: (until) => isJobDue('text', until),
      rows: [{ table: 'jobs', values: { kind: 'text', due_at: 1 } }],
      waits: { due_at: LATER },
    },
    {
      name: 'a push',
      isDue: isPushDue,
      rows: [{ table: 'pushes', values: { state: 'closing', due_at: 1 } }],
      waits: { state: 'shown' },
    },
    {
      name: 'a mail',
      isDue: isMailDue,
      rows: [{ table: 'mails', values: { due_at: 1 } }],
      waits: { due_at: LATER },
    },
    {
      name: 'a scheduled message',
      isDue: isMessageDue,
      rows: [{ table: 'scheduled_messages', values: { state: 'scheduled', send_at: 1 } }],
      waits: { retry_at: LATER },
    },
    {
      name: 'a question',
      isDue: isQuestionDue,
      rows: [{ table: 'questions', values: { status: 'open', expires_at: 1 } }],
      waits: { status: 'answered' },
    },
    {
      name: 'a guest',
      isDue: isGuestDue,
      rows: [
        {
          table: 'profiles',
          values: { id: PERSON, kind: 'user', role: 'guest', status: 'Active', guest_until: 1 },
        },
      ],
      waits: { status: 'Archived' },
    },
    {
      name: 'an invitation',
      isDue: isInvitationDue,
      rows: [{ table: 'profiles', values: { id: PERSON, kind: 'user', status: 'Pending', invite_at: 1 } }],
      waits: { invite_at: LATER },
    },
    {
      name: 'a reminder',
      isDue: isReminderDue,
      rows: [{ table: 'saved_messages', values: { remind_at: 1 } }],
      waits: { reminded_at: 1 },
    },
    {
      name: 'an audit log',
      isDue: isDestinationDue,
      rows: [
        { table: 'audit_log', values: { actor_kind: 'server' } },
        {
          table: 'audit_destinations',
          values: { kind: 'webhook', sent_to: '00000000-0000-0000-0000-000000000000', due_at: 1 },
        },
      ],
      waits: { leased_until: LATER },
    },
    {
      name: 'a webhook',
      isDue: isAnyDue,
      rows: [delivery, webhook],
      waits: { webhook_leased_until: LATER },
    },
    {
      name: 'a further address of a webhook',
      isDue: isAnyDue,
      rows: [webhook, { ...delivery, values: { ...delivery.values, bot_id: FURTHER } }, further],
      waits: { webhook_paused_at: 1, webhook_pause_reason: 'gone' },
    },
    {
      name: 'a test of a webhook',
      isDue: isTestDue,
      rows: [{ ...delivery, values: { ...delivery.values, state: 'testing' } }, webhook],
      waits: { active: false },
    },
  ]
}

const one = (value: unknown): Sql => sql`${value}`

/**
 * Changes the bot, or inserts a row of which only some values matter; the others are of their column's type. Foreign keys are not
 * held.
 */
async function plant(tx: OpenTransaction, { table, values }: Row): Promise<void> {
  if (table === 'bots') {
    for (const [name, value] of Object.entries(values))
      await tx.query(
        sql`update bots set ${verbatim(name)} = ${value} where org_id = ${orgId} and id = ${bot.id}`,
      )
    return
  }
  await tx.query(sql`set local session_replication_role = replica`)
  const columns = await tx.query<{ name: string; type: string; isNeeded: boolean }>(sql`
    select column_name as name, udt_name as type, is_nullable = 'NO' and column_default is null as "isNeeded"
    from information_schema.columns where table_name = ${table} and table_schema = 'public'`)
  const dummies: Record<string, unknown> = {
    uuid: newUuid(),
    text: 'x',
    bytea: Buffer.of(1),
    bool: false,
    jsonb: '{}',
    _text: '{}',
  }
  const given: Record<string, unknown> = { org_id: orgId, ...values }
  const used = columns.filter(({ name, isNeeded }) => isNeeded || name in given)
  const names = used.map(({ name }) => name)
  const row = used.map(({ name, type }) => (name in given ? given[name] : (dummies[type] ?? 1)))
  await tx.query(sql`
    insert into ${verbatim(table)} (${verbatim(names.join(', '))})
    values (${row.map(one).reduce((all, next) => sql`${all}, ${next}`)})`)
}

class Undone extends Error {}

/** Plants rows, asks what is due, and takes the rows back. */
async function dueWith(rows: readonly Row[]): Promise<string[]> {
  let found: Kind[] = []
  await server.parley.db
    .transaction(async (tx) => {
      for (const row of rows) await plant(tx, row)
      found = await findDue(tx, kinds(), NOW)
      throw new Undone()
    })
    .catch((error: unknown) => {
      if (!(error instanceof Undone)) throw error
    })
  return found.map(({ name }) => name)
}

describe('the lookout', () => {
  it('finds nothing where nothing is due', async () => {
    expect(await dueWith([])).toEqual([])
  })

  it.each(kinds().map(({ name }) => name))('finds %s, and leaves one that has to wait', async (name) => {
    const kind = kinds().find((each) => each.name === name)
    const rows = kind?.rows ?? []
    expect(await dueWith(rows)).toContain(name)
    const [last, ...before] = rows.toReversed()
    if (!last) throw new Error('each kind has rows')
    const waiting = { ...last, values: { ...last.values, ...kind?.waits } }
    expect(await dueWith([...before.toReversed(), waiting])).toEqual([])
  })

  it('finds organizations whose events were not read by notifications or search', async () => {
    const behind = [{ isDue: () => IS_UNTOLD }, { isDue: () => IS_UNSEARCHED }]
    expect(await findDue(server.parley.db, behind, NOW)).toEqual([])
    const topic = await bot.post('/v2/topics', { name: 'Releases', members: [] })
    const message = { topicId: Object(topic.body).id, text: 'The release is out.' }
    expect((await bot.post('/v2/messages', message)).status).toBe(201)
    expect(await findDue(server.parley.db, behind, NOW)).toEqual(behind)
    await indexEverything(server.parley.db)
    await server.parley.db.query(
      sql`update notification_readers r set position = l.last_seq from organization_logs l where l.org_id = r.org_id`,
    )
    expect(await findDue(server.parley.db, behind, NOW)).toEqual([])
    await organization(server, 'Harbor Works')
    expect(await findDue(server.parley.db, behind, NOW)).toEqual(behind)
  })

  it('wakes a worker for which something is due, in place of its interval', async () => {
    const { db } = server.parley
    const isDue = () => sql`exists (select from settings where name = 'due')`
    const watched = new Worker('watched', server.parley, 500, async () => {}, { isDue })
    const unwatched = new Worker('unwatched', server.parley, 500, async () => {})
    await eventuallyHolds(async () => expect(unwatched.state.runs).toBeGreaterThan(5))
    expect(watched.state.runs).toBe(1)
    await db.query(sql`insert into settings (name, value) values ('due', '1')`)
    await eventuallyHolds(async () => expect(watched.state.runs).toBeGreaterThan(1))
    await Promise.all([watched.stop(), unwatched.stop()])
  })

  itAtNight('lets an idle server ask its database less than three questions a second', async () => {
    const { parley } = server
    const workers = await startWorkers(parley)
    await eventuallyHolds(async () => {
      for (const { state } of parley.workers) expect([state.name, state.runs > 0]).toEqual([state.name, true])
    })
    let questions = 0
    const count = () => {
      questions += 1
    }
    parley.db.pool.on('acquire', count)
    await sleep(10_000)
    parley.db.pool.off('acquire', count)
    await workers.stop()
    // Each worker by itself asked 200 and more.
    expect(questions).toBeLessThan(30)
  })
})
