import { sql } from '../../server/db/sql.ts'
import { type Backstage, openBackstage } from '../parts/cast.ts'
import { makeChat } from '../parts/chat.ts'
import { Connection } from '../parts/connection.ts'
import { getRequest } from '../parts/requests.ts'
import type { Context, Scenario } from '../scenario.ts'

const SMALL = 100
const LARGE = 1_000_000
const LARGE_QUICK = 100_000
const OPENINGS = 50
/** The index of the large one is one or two levels deeper: that much more may be touched. */
const RATIO = 1 / 1.2

type Cost = { rows: number; buffers: number }

export const chatOpen: Scenario = {
  name: 'chat-open',
  title:
    'Opening a topic of 1,000,000 messages, all unread, as a browser does: rows given back, buffers touched',
  floor: 'the same on a server whose only topic has 100 messages',
  target: { rows: { ratioAtLeast: RATIO }, buffers: { ratioAtLeast: RATIO } },
  async run(context) {
    const openSmall = await grow(context, SMALL)
    context.say('filling the large topic …')
    const openLarge = await grow(context, context.quick ? LARGE_QUICK : LARGE)
    return context.repeat(async () => {
      const [small, large] = [await openSmall(), await openLarge()]
      const figure = (name: keyof Cost) =>
        ({ name, unit: 'an opening', better: 'less', value: large[name], floor: small[name] }) as const
      return [figure('rows'), figure('buffers')]
    })
  },
}

/** A server with one topic of this many messages. Returns a function that opens it, and returns the cost. */
async function grow(context: Context, messages: number): Promise<() => Promise<Cost>> {
  const server = await context.startServer()
  const backstage = await openBackstage(server)
  context.onEnd(backstage.close)
  const { people, topics } = await makeChat(backstage, { people: 1, topics: 1, messagesEach: messages })
  const [person] = people
  const [topic] = topics
  if (!person || !topic) throw new Error('there is a person and a topic')
  const credentials = { session: person.token }
  const chat = `/people/organizations/${backstage.orgId}/chat`
  const paths = [`${chat}/start`, `${chat}/topics/${topic.id}`, `${chat}/topics/${topic.id}/history?limit=50`]
  const connection = new Connection(server.port)
  context.onEnd(async () => connection.end())
  await backstage.db.query(sql`create extension if not exists pg_stat_statements`)
  const open = async () => {
    for (const path of paths) {
      const { status, body } = await connection.ask([getRequest(path, credentials)])
      if (status !== 200) throw new Error(`${path}: ${status} ${body}`)
    }
  }
  await open()
  return async () => {
    const before = await touched(backstage)
    for (let number = 0; number < OPENINGS; number++) await open()
    const after = await touched(backstage)
    return {
      rows: (after.rows - before.rows) / OPENINGS,
      buffers: (after.buffers - before.buffers) / OPENINGS,
    }
  }
}

/** Cost of the reading statements. The server's own search for lost wake-ups reads no message and is left out. */
async function touched({ db }: Backstage): Promise<Cost> {
  const [row] = await db.query<Cost>(sql`
    select coalesce(sum(rows), 0)::bigint as rows, coalesce(sum(shared_blks_hit + shared_blks_read), 0)::bigint as buffers
    from pg_stat_statements
    where dbid = (select oid from pg_database where datname = current_database())
      and query ~* '\\m(messages|topics|topic_members|topic_states|profiles|drafts|mentions)\\M'
      and query !~* 'pg_stat_statements|^\\s*(insert|vacuum|analyze|create)'`)
  return row ?? { rows: 0, buffers: 0 }
}
