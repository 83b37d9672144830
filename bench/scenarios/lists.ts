import { sql } from '../../server/db/sql.ts'
import { type Backstage, openBackstage } from '../parts/cast.ts'
import { Connection } from '../parts/connection.ts'
import { Histogram } from '../parts/histogram.ts'
import { makeSignedIn } from '../parts/people.ts'
import { getRequest } from '../parts/requests.ts'
import type { Figure, Scenario } from '../scenario.ts'

const PEOPLE = 10_000
const BOTS = 1000
const LIMIT = 50
/** Pages of each list that are asked for in one run: the first ones, those in the middle and the last ones. */
const ROUNDS = 20

export const lists: Scenario = {
  name: 'lists',
  title:
    'Pages of 50 in the console, of 10,000 members and of 1,000 bots with webhooks: first, middle and last',
  target: { members: { p99Under: 200 }, bots: { p99Under: 200 } },
  async run(context) {
    const server = await context.startServer()
    const backstage = await openBackstage(server)
    context.onEnd(backstage.close)
    await fill(backstage)
    const [admin] = await makeSignedIn(backstage, 1, 'admin')
    if (!admin) throw new Error('there is an admin')
    const connection = new Connection(server.port)
    context.onEnd(async () => connection.end())
    const read = async (path: string) => {
      const target = `/people/organizations/${backstage.orgId}${path}`
      const { status, body } = await connection.ask([getRequest(target, { session: admin.token })])
      if (status !== 200) throw new Error(`${target}: ${status} ${body}`)
      return JSON.parse(body.toString())
    }
    const measure = async (name: string, query: string): Promise<Figure> => {
      const queries = await pagesOf(read, `/${name}?limit=${LIMIT}`, query)
      const times = queries.map(() => new Histogram())
      const all = new Histogram()
      for (let round = 0; round < ROUNDS; round++) {
        for (const [place, path] of queries.entries()) {
          const began = performance.now()
          await read(path)
          const took = performance.now() - began
          times[place]?.record(took)
          all.record(took)
        }
      }
      const [first, middle, last] = times.map((one) => one.percentile(0.5))
      const details = { first: first ?? 0, middle: middle ?? 0, last: last ?? 0 }
      return {
        name,
        unit: 'ms at p99',
        better: 'less',
        value: all.percentile(0.99),
        latency: all.summary(),
        details,
      }
    }
    return context.repeat(async () => [
      await measure('members', '&sort=name'),
      await measure('bots', '&sort=attention'),
    ])
  },
}

/** The paths of the first page, of one in the middle and of the last one, found by turning as a reader does. */
async function pagesOf(
  read: (path: string) => Promise<{ nextCursor?: string }>,
  list: string,
  query: string,
): Promise<string[]> {
  const paths = [`${list}${query}`]
  for (let path = paths[0]; path !== undefined; ) {
    const { nextCursor } = await read(path)
    path = nextCursor === undefined ? undefined : `${list}&cursor=${encodeURIComponent(nextCursor)}`
    if (path !== undefined) paths.push(path)
  }
  return [0, Math.floor(paths.length / 2), paths.length - 1].flatMap((place) => paths[place] ?? [])
}

async function fill({ db, orgId }: Backstage): Promise<void> {
  await db.query(sql`
    insert into profiles (org_id, id, kind, name, email, status, role, created_at, updated_at, last_seen_at)
    select ${orgId}, gen_random_uuid()::text, 'user', 'Person ' || (n * 7919 % ${PEOPLE}), 'p' || n || '@example.com',
      case when n % 3 = 0 then 'Pending' else 'Active' end, 'member', n, n, n from generate_series(1, ${PEOPLE}) n`)
  await db.query(sql`
    with made as (
      insert into profiles (org_id, id, kind, name, status, created_at, updated_at)
      select ${orgId}, 'b@' || gen_random_uuid(), 'bot', 'Bot ' || n, 'Active', n, n from generate_series(1, ${BOTS}) n
      returning org_id, id, created_at
    )
    insert into bots (org_id, id, credential, permission, scopes, secret, key_hint, delivery, webhook_url, created_at, updated_at)
    select org_id, id, 'static', 'write', '{}', '', '', 'webhook', 'https://example.com/' || created_at, created_at, created_at
    from made`)
  await db.query(sql`analyze profiles, bots`)
}
