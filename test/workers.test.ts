import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { CLEAN_UPS } from '../server/background/clean-ups.ts'
import { Sql, sql } from '../server/db/sql.ts'
import { describeFailure } from '../server/failure-text.ts'
import { startReporting } from '../server/node-report.ts'
import { readStatus } from '../server/queries/organization/status.ts'
import type { Worker } from '../server/worker.ts'
import { startWorkers } from '../server/workers.ts'
import { type ChatCast, chatCast } from './support/chat-cast.ts'
import { eventuallyHolds } from './support/eventually.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { PATIENCE_MS } from './support/patience.ts'
import { closedPort } from './support/receiver.ts'
import { IS_THOROUGH, itAtNight } from './support/thorough.ts'

/** Workers that work without a table, each with the reason. */
const UNBROKEN: Record<string, string> = {
  clock: 'asks for the time, of no table',
  lookout: 'asks all tables of watched workers: where one is missing, each of them looks by itself',
  'rate limits': 'forgets in memory',
  'lost wake-ups': 'asks only while somebody listens',
  acknowledgements: 'writes only after a bot has polled',
  'budgets of bots': 'writes only after a bot with a budget has written',
  'attempts to sign in': 'writes only after somebody failed to sign in',
  'webhook results': 'writes only after a webhook was called',
  guests: 'reads profiles, as many others do',
  'asked invitations': 'reads profiles, as many others do',
}

/** The table without which a worker fails. Workers of the same table fail together. */
const TABLES: Record<string, string> = {
  'secret key': 'settings',
  'secret key rotation': 'settings',
  backups: 'settings',
  'report of this node': 'nodes',
  mail: 'mails',
  'jobs: process': 'jobs',
  'jobs: transcribe': 'jobs',
  'jobs: preview': 'jobs',
  'jobs: text': 'jobs',
  'silent bots': 'streaming_messages',
  files: 'stored_files',
  search: 'search_progress',
  'scheduled messages': 'scheduled_messages',
  questions: 'questions',
  'message retention': 'retention_dues',
  erasures: 'erasures',
  webhooks: 'deliveries',
  'audit destinations': 'audit_destinations',
  'webhook tests': 'deliveries',
  notifications: 'notification_readers',
  reminders: 'saved_messages',
  'push messages': 'pushes',
  'read notifications': 'pushes',
  'mail about missed messages': 'missed_messages',
  'event retention': 'organizations',
  'old answers': 'idempotent_answers',
  'old budgets': 'budgets',
  'old usage': 'bot_usage',
  'old sessions': 'sessions',
  'old links': 'one_time_tokens',
  'old assistants': 'assistants',
  'old assistant tokens': 'assistant_tokens',
  'unused programs': 'oauth_clients',
  'old nonces': 'request_nonces',
  'former bot secrets': 'bots',
  'former webhook secrets': 'webhook_addresses',
  'old failures': 'scheduled_messages',
  'old rehearsals': 'rehearsals',
  'old previews': 'link_previews',
  'old pushes': 'pushes',
}

/** Workers that also fail without another worker's table. */
const ALSO: Record<string, string[]> = {
  assistants: ['unused programs'],
  bots: ['webhooks', 'webhook tests'],
  webhook_addresses: ['webhooks', 'webhook tests'],
  organizations: ['mail about missed messages', 'message retention'],
}

/** Rows that a clean-up deletes, or changes: how `count` of them come in, and how they are found. */
type OldRows = { plant(count: number): Sql; where: Sql }

let server: TestParley
let cast: ChatCast
let workers: { stop(): Promise<void> }
let report: { stop(): Promise<void> }

beforeAll(async () => {
  server = await startTestParley({
    smtpUrl: `smtp://127.0.0.1:${await closedPort()}`,
    backups: { folder: '/nowhere', everyHours: 24, keep: 1 },
  })
  cast = await chatCast(server)
  await server.parley.db.query(sql`
    insert into settings (name, value) values ('last_backup', ${JSON.stringify({ at: server.parley.clock(), place: 'x' })})
    on conflict (name) do update set value = excluded.value`)
  await prepareRows()
  workers = await startWorkers(server.parley)
  report = await startReporting(server.parley, { isOnly: true })
})
afterAll(async () => {
  await report?.stop()
  await workers?.stop()
  cast?.close()
  await server?.close()
})

const run = (text: string) => server.parley.db.pool.query(text)
const hash = sql`decode(md5(random()::text || i), 'hex')`
const each = (count: number) => sql`generate_series(1, ${count}::int) i`

/** Rows that the old rows refer to. */
async function prepareRows(): Promise<void> {
  const { orgId, ada, bot } = cast
  const { db } = server.parley
  await db.query(sql`
    insert into assistants (org_id, id, profile_id, client_id, name, host, is_verified, scopes, signed_in_with, created_at, connected_at, expires_at)
    values (${orgId}, ${orgId}, ${ada.profileId}, 'kept', 'Kept', 'example.com', true, '{}', 'password', 1, 1, 9e15)`)
  await db.query(sql`
    insert into webhook_addresses (org_id, id, bot_id, webhook_url, secret, created_at, updated_at)
    values (${orgId}, 'w@1', ${bot.id}, 'https://example.com', 'x', 1, 1)`)
  await db.query(sql`
    insert into push_subscriptions (session_id, account_id, endpoint_hash, subscription, created_at)
    select id, account_id, 'x', 'x', 1 from sessions order by created_at limit 1`)
}

/** Rows by the name of each clean-up. */
const OLD_ROWS: Record<string, OldRows> = {
  'old answers': {
    plant: (count) => sql`
      insert into idempotent_answers (org_id, owner, key, request_hash, status, created_at)
      select ${cast.orgId}, 'test', 'old ' || i, 'x', 200, 1 from ${each(count)} on conflict do nothing`,
    where: sql`created_at = 1`,
  },
  'old budgets': {
    plant: (count) => sql`
      insert into budgets (name, started_at, used, granted) select 'old ' || i, 1, 1, 1 from ${each(count)} on conflict do nothing`,
    where: sql`started_at = 1`,
  },
  'old usage': {
    plant: (count) => sql`
      insert into bot_usage (org_id, bot_id, day) select ${cast.orgId}, 'b@' || i, 1 from ${each(count)} on conflict do nothing`,
    where: sql`day = 1`,
  },
  'old sessions': {
    plant: (count) => sql`
      insert into sessions (token_hash, id, account_id, user_agent, created_at, last_seen_at, expires_at)
      select ${hash}, gen_random_uuid(), (select id from accounts limit 1), '', 1, 1, 1 from ${each(count)}`,
    where: sql`expires_at = 1`,
  },
  'old links': {
    plant: (count) => sql`
      insert into one_time_tokens (token_hash, purpose, data, expires_at) select ${hash}, 'test', '{}', 1 from ${each(count)}`,
    where: sql`expires_at = 1`,
  },
  'old assistants': {
    plant: (count) => sql`
      insert into assistants (org_id, id, profile_id, client_id, name, host, is_verified, scopes, signed_in_with, created_at, expires_at)
      select ${cast.orgId}, gen_random_uuid(), ${cast.ada.profileId}, 'old', 'Old', 'x', true, '{}', 'password', 1, 1 from ${each(count)}`,
    where: sql`expires_at = 1`,
  },
  'old assistant tokens': {
    plant: (count) => sql`
      insert into assistant_tokens (token_hash, org_id, assistant_id, kind, expires_at)
      select ${hash}, ${cast.orgId}, ${cast.orgId}, 'access', 1 from ${each(count)}`,
    where: sql`expires_at = 1`,
  },
  'unused programs': {
    plant: (count) => sql`
      insert into oauth_clients (id, name, redirect_uris, created_at)
      select 'old ' || i, 'Old', '{}'::text[], 1 from ${each(count)} on conflict do nothing`,
    where: sql`id like 'old %'`,
  },
  'old nonces': {
    plant: (count) => sql`
      insert into request_nonces (org_id, bot_id, nonce_hash, expires_at)
      select ${cast.orgId}, ${cast.bot.id}, ${hash}, 1 from ${each(count)}`,
    where: sql`expires_at = 1`,
  },
  'former bot secrets': {
    plant: () => sql`update bots set previous_secret = 'x', previous_secret_until = 1`,
    where: sql`previous_secret_until = 1`,
  },
  'former webhook secrets': {
    plant: () => sql`update webhook_addresses set previous_secret = 'x', previous_secret_until = 1`,
    where: sql`previous_secret_until = 1`,
  },
  'old failures': {
    plant: (count) => sql`
      insert into scheduled_messages (org_id, id, profile_id, topic_id, text, send_at, state, created_at, updated_at)
      select ${cast.orgId}, gen_random_uuid(), ${cast.ada.profileId}, ${cast.topicId}, '', 1, 'failed', 1, 1 from ${each(count)}`,
    where: sql`state = 'failed'`,
  },
  'old rehearsals': {
    plant: (count) => sql`
      insert into rehearsals (org_id, id, bot_id, started_by, name, token_hash, from_at, to_seq, heard_seq, heard_at, created_at,
        expires_at, delete_at)
      select b.org_id, gen_random_uuid(), b.id, ${cast.ada.profileId}, '', 'x', 1, 0, 0, 1, 1, 1, 1
      from (select org_id, id from bots where org_id = ${cast.orgId} limit 1) b, ${each(count)}`,
    where: sql`delete_at = 1`,
  },
  'old previews': {
    plant: (count) => sql`
      insert into link_previews (org_id, url_hash, expires_at) select ${cast.orgId}, ${hash}, 1 from ${each(count)}`,
    where: sql`expires_at = 1`,
  },
  'old pushes': {
    plant: (count) => sql`
      insert into pushes (session_id, message_id, org_id, profile_id, topic_id, read_at, state, due_at, created_at)
      select (select session_id from push_subscriptions limit 1), gen_random_uuid(), ${cast.orgId}, ${cast.ada.profileId},
        ${cast.topicId}, 'ffffffff-ffff-ffff-ffff-ffffffffffff', 'shown', 1, 1 from ${each(count)}`,
    where: sql`created_at = 1`,
  },
}

const rowsOf = (name: string): OldRows => {
  const rows = OLD_ROWS[name]
  if (!rows) throw new Error(`OLD_ROWS of this test lacks the clean-up '${name}'`)
  return rows
}
const plant = (name: string, count = 3) => server.parley.db.query(rowsOf(name).plant(count))
async function countOld(name: string): Promise<number> {
  const table = new Sql([TABLES[name] ?? ''], [])
  const [row] = await server.parley.db.query<{ count: number }>(
    sql`select count(*) from ${table} where ${rowsOf(name).where}`,
  )
  return row?.count ?? 0
}

function workerOf(name: string): Worker {
  const worker = [...server.parley.workers].find(({ state }) => state.name === name)
  if (!worker) throw new Error(`there is no worker '${name}'`)
  return worker
}
/** Wakes a worker repeatedly until this holds: a run takes some milliseconds. */
const wakeUntil = (name: string, check: () => void | Promise<void>) =>
  vi.waitFor(
    async () => {
      workerOf(name).wake()
      await check()
    },
    { timeout: PATIENCE_MS, interval: 10 },
  )
/** Waits until each of these workers has run once more without a failure. */
async function allRunWell(names: readonly string[]): Promise<void> {
  await Promise.all(
    names.map((name) => {
      const before = { ...workerOf(name).state }
      return wakeUntil(name, () => {
        const { runs, failures, lastError } = workerOf(name).state
        // A run that was already going may have seen the former state.
        const isDone = runs > before.runs + 1 && failures <= before.failures + 1
        expect([name, lastError, isDone]).toEqual([name, null, true])
      })
    }),
  )
}
/** Plants old rows and waits until these clean-ups have deleted them. */
async function cleanUpAll(names: readonly string[]): Promise<void> {
  await Promise.all(
    names.map(async (name) => {
      await plantAround(name)
      await wakeUntil(name, async () => expect(await countOld(name), name).toBe(0))
    }),
  )
}
/** Reads the metrics of workers, by their kind and the worker. */
async function readMetrics(): Promise<(kind: string, worker: string) => number> {
  const lines = (await (await fetch(`${server.url}/metrics`)).text()).split('\n')
  return (kind, worker) => {
    const line = lines.find((one) => one.startsWith(`parley_worker_${kind}{worker="${worker}"}`))
    return Number(line?.split(' ').at(-1))
  }
}

describe('background work', () => {
  it('is all in the tables of this test: a new worker must say how it fails', () => {
    const names = [...server.parley.workers].map(({ state }) => state.name)
    expect(names.sort()).toEqual([...Object.keys(TABLES), ...Object.keys(UNBROKEN)].sort())
    expect(Object.keys(OLD_ROWS)).toEqual(CLEAN_UPS.map(({ name }) => name))
  })

  it.each([...new Set(Object.values(TABLES))])(
    'goes on but for what needs %s, until that is back',
    async (table) => {
      const names = Object.keys(TABLES)
      const broken = names.filter((name) => TABLES[name] === table)
      const cleanUps = Object.keys(OLD_ROWS)
      const unrelated = [...names, ...Object.keys(UNBROKEN)].filter(
        (name) => !broken.includes(name) && !ALSO[table]?.includes(name) && name !== 'lookout',
      )
      await run(`alter table ${table} rename to ${table}_away`)
      try {
        const failuresBefore = new Map(broken.map((name) => [name, workerOf(name).state.failures]))
        await Promise.all(
          broken.map((name) =>
            wakeUntil(name, () => {
              const { failures, failuresInARow, failingSince, lastError } = workerOf(name).state
              expect(failures, name).toBeGreaterThan((failuresBefore.get(name) ?? 0) + 1)
              expect([failuresInARow > 0, failingSince === null], name).toEqual([true, false])
              expect(lastError).toContain(`relation "${table}" does not exist`)
            }),
          ),
        )
        // The gate sees what clean-ups delete beside each table of several workers, and elsewhere that they do not fail.
        if (IS_THOROUGH || broken.length > 1)
          await cleanUpAll(cleanUps.filter((name) => unrelated.includes(name)))
        await allRunWell(unrelated)
        const metric = await readMetrics()
        for (const name of broken) {
          expect(metric('failures_total', name), name).toBeGreaterThan(1)
          expect(metric('failing_seconds', name), name).toBeGreaterThan(0)
          expect(metric('runs_total', name), name).toBeGreaterThan(1)
        }
      } finally {
        await run(`alter table ${table}_away rename to ${table}`)
      }
      for (const name of broken) if (OLD_ROWS[name]) await plant(name)
      await Promise.all(
        broken.map((name) =>
          wakeUntil(name, async () => {
            expect(workerOf(name).state).toMatchObject({
              failuresInARow: 0,
              failingSince: null,
              lastError: null,
            })
            if (OLD_ROWS[name]) expect(await countOld(name), name).toBe(0)
          }),
        ),
      )
      const metric = await readMetrics()
      for (const name of broken) expect(metric('failing_seconds', name), name).toBe(0)
    },
  )
})

/** Old rows, unless they refer to the missing table. */
const plantAround = (name: string) =>
  plant(name).catch((error: Error) => {
    if (!/relation .* does not exist/.test(error.message)) throw error
  })

describe('a clean-up', () => {
  it('works off what has piled up in bounded steps, without waiting for its next turn', async () => {
    const [name, rows] = ['old answers', CLEAN_UPS.find((one) => one.name === 'old answers')?.rows ?? 0]
    await allRunWell([name])
    const { runs } = workerOf(name).state
    await plant(name, 4 * rows + 1)
    workerOf(name).wake()
    await eventuallyHolds(async () => expect(await countOld(name)).toBe(0))
    expect(workerOf(name).state.runs - runs).toBeGreaterThanOrEqual(4)
  })

  it('passes by programs that an assistant uses, however many there are', async () => {
    const rows = CLEAN_UPS.find((one) => one.name === 'unused programs')?.rows ?? 0
    await server.parley.db.query(sql`
      insert into oauth_clients (id, name, redirect_uris, created_at) select 'a used one ' || i, 'Used', '{}', 1 from ${each(rows)}`)
    await server.parley.db.query(sql`
      insert into assistants (org_id, id, profile_id, client_id, name, host, is_verified, scopes, signed_in_with, created_at, connected_at, expires_at)
      select ${cast.orgId}, gen_random_uuid(), ${cast.ada.profileId}, 'a used one ' || i, 'Used', 'x', true, '{}', 'password', 1, 1, 9e15 from ${each(rows)}`)
    await plant('unused programs')
    await wakeUntil('unused programs', async () => expect(await countOld('unused programs')).toBe(0))
    const [used] = await server.parley.db.query<{ count: number }>(
      sql`select count(*) from oauth_clients where id like 'a used one %'`,
    )
    expect(used?.count).toBe(rows)
  })

  // Takes the ten seconds that a statement of a clean-up may take.
  itAtNight('that hangs is ended, and delays no other', async () => {
    await run(
      `create function hang() returns trigger language plpgsql as 'begin perform pg_sleep(600); return old; end'`,
    )
    await run('create trigger hangs before delete on sessions for each row execute function hang()')
    try {
      await plant('old sessions')
      const { runs } = workerOf('old sessions').state
      await wakeUntil('old sessions', () =>
        expect(workerOf('old sessions').state.runningSince).not.toBeNull(),
      )
      await cleanUpAll(CLEAN_UPS.map(({ name }) => name).filter((name) => name !== 'old sessions'))
      expect(workerOf('old sessions').state.runs, 'the others were done first').toBeLessThanOrEqual(runs + 1)
      await eventuallyHolds(async () =>
        expect(workerOf('old sessions').state.lastError).toBe('canceling statement due to statement timeout'),
      )
    } finally {
      // Waits for the current run to end.
      await eventuallyHolds(async () => void (await run('drop trigger if exists hangs on sessions')))
    }
    await wakeUntil('old sessions', async () => expect(await countOld('old sessions')).toBe(0))
  })

  it('has less time for a statement than a request, also behind a pooler, which sets none', async () => {
    await run(`create function tell_limit() returns trigger language plpgsql as
      'begin raise exception ''limit %'', current_setting(''statement_timeout''); end'`)
    await run(
      'create trigger tells before delete on request_nonces for each row execute function tell_limit()',
    )
    try {
      await plant('old nonces')
      await wakeUntil('old nonces', () => expect(workerOf('old nonces').state.lastError).toBe('limit 10s'))
    } finally {
      await run('drop trigger tells on request_nonces')
    }
  })

  it('is in the list of docs/operations.md, with what it deletes', async () => {
    const page = await readFile('docs/operations.md', 'utf8')
    for (const { name, what } of CLEAN_UPS) expect(page).toContain(`| \`${name}\` | ${what} |`)
  })
})

describe('failing work', () => {
  it('is reported to parley status by its node, with its name, since when, how often and why', async () => {
    await run('alter table one_time_tokens rename to one_time_tokens_away')
    try {
      await wakeUntil('old links', () =>
        expect(workerOf('old links').state.failuresInARow).toBeGreaterThan(1),
      )
      await wakeUntil('report of this node', async () => {
        const { nodes } = await readStatus(server.parley.db, server.parley.clock())
        const [old] = nodes[0]?.workers.filter(({ name }) => name === 'old links') ?? []
        expect(old).toMatchObject({
          failingSince: expect.any(Number),
          lastError: 'relation "one_time_tokens" does not exist',
        })
        expect(old?.failuresInARow).toBeGreaterThan(1)
      })
    } finally {
      await run('alter table one_time_tokens_away rename to one_time_tokens')
    }
  })

  it.each([
    ['connect postgres://parley:hunter2@db:5432/parley failed', 'connect postgres://…@db:5432/parley failed'],
    ['GET https://s3.example.com/a?X-Amz-Signature=abc gave 403', 'GET https://s3.example.com/a?… gave 403'],
    ['password="open sesame" was refused', 'password=… was refused'],
    ['no such key: 5f2b9c7e1a3d4f6089b7c5d3e1f2a4b6', 'no such key: …'],
    ['bad header Bearer abc.def', 'bad header Bearer …'],
    ['token Zx81mmQp0r7Lk2VtY9aBcD of a bot', 'token … of a bot'],
    [
      'relation "idempotent_answers_102008" does not exist',
      'relation "idempotent_answers_102008" does not exist',
    ],
  ])('says %j without secrets', (message, shown) => {
    expect(describeFailure(new Error(message))).toBe(shown)
  })

  it('has a text of bounded length', () => {
    expect(describeFailure(new Error('long '.repeat(1000))).length).toBeLessThanOrEqual(301)
    expect(describeFailure('not an error')).toBe('not an error')
  })
})
