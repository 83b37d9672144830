import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { findRunningPostgres } from '../server/postgres/embedded.ts'

/** Longer than the second after which webhooks and their tests are looked for. */
const REST_MS = 2500
const MAX_TRIES = 24
/** Tables that change by themselves: queues that are worked off, times of last use, limits by the minute. */
const RESTLESS = ['mails', 'jobs', 'budgets', 'sessions', 'retention_dues', 'erasures']
const RESTLESS_COLUMNS = ['webhook_leased_by', 'webhook_leased_until']

/** Takes a `fingerprint` once running deliveries, uploads and search have finished. */
export async function settledFingerprint(dataDir: string, orgId: string): Promise<Map<string, string>> {
  let last = await fingerprint(dataDir, orgId)
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    await sleep(REST_MS)
    const next = await fingerprint(dataDir, orgId)
    if (changedTables(last, next).length === 0 && !(await hasWorkLeft(dataDir, orgId))) return next
    last = next
  }
  throw new Error('the foreign organization does not come to rest')
}

/** Whether a webhook delivery is pending, or search has not read the whole log yet. Both write rows when they go on. */
async function hasWorkLeft(dataDir: string, orgId: string): Promise<boolean> {
  return withDatabase(dataDir, async (client) => {
    const { rowCount } = await client.query(
      `select 1 from organization_logs l left join search_progress p using (org_id)
       where l.org_id = $1 and (
         p.seq is distinct from l.last_seq or p.older_than is not null
         or exists (select from search_waiting w where w.org_id = l.org_id)
         or exists (select from search_file_texts t where t.org_id = l.org_id and t.text is null)
         or exists (select from deliveries d where d.org_id = l.org_id and d.state in ('pending', 'testing')))`,
      [orgId],
    )
    return rowCount !== 0
  })
}

async function withDatabase<Result>(
  dataDir: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const connection = await findRunningPostgres(dataDir)
  if (!connection) throw new Error('the server has no database')
  const client = new pg.Client(connection)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Every table's rows of an organization, as a number and a digest, read past the server. */
export async function fingerprint(dataDir: string, orgId: string): Promise<Map<string, string>> {
  return withDatabase(dataDir, async (client) => {
    const { rows: tables } = await client.query<{ name: string }>(
      `select table_name as name from information_schema.columns
       where table_schema = 'public' and column_name = 'org_id' order by 1`,
    )
    const prints = new Map<string, string>()
    for (const { name } of tables.filter((table) => !RESTLESS.includes(table.name))) {
      const { rows } = await client.query<{ print: string }>(
        `select count(*) || ' ' || coalesce(md5(string_agg(digest, '' order by digest)), '') as print
         from (select md5((to_jsonb(t) - $2::text[])::text) as digest
           from ${pg.escapeIdentifier(name)} t where org_id = $1) rows`,
        [orgId, RESTLESS_COLUMNS],
      )
      prints.set(name, rows[0]?.print ?? '')
    }
    return prints
  })
}

export function changedTables(before: Map<string, string>, after: Map<string, string>): string[] {
  return [...after].filter(([name, print]) => before.get(name) !== print).map(([name]) => name)
}
