import type { ClientConfig } from 'pg'
import { createOAuthBot, createStaticBot } from '../../server/actions/bots/bots.ts'
import { addPerson } from '../../server/actions/members/members.ts'
import { foundOrganization } from '../../server/actions/organization/organizations.ts'
import { createTopic } from '../../server/actions/topics/topics.ts'
import { Database } from '../../server/db/database.ts'
import type { Transaction } from '../../server/db/transaction.ts'
import { loadSecretKeys } from '../../server/keys/key-file.ts'
import { findRunningPostgres } from '../../server/postgres/embedded.ts'
import { Secrets } from '../../server/secrets.ts'
import { Connection } from './connection.ts'
import type { Credentials } from './requests.ts'
import type { Server } from './server.ts'

export type Bot = { id: string; apiKey: string; apiSecret: string }
export type OAuthBot = { id: string; token: string }
export type Topic<Member extends { id: string } = Bot> = { id: string; bots: Member[] }
/** A sender: its topic, its credentials, and the path it posts to and what it says there (a message, unless given). */
export type Sender = { topicId: string; credentials: Credentials; path?: string; text?: string }

/** The database of a running server, and the keys to it, to make hundreds of bots in a second. */
export type Backstage = {
  db: Database
  secrets: Secrets
  orgId: string
  close(): Promise<void>
}

/** Backstage of a server with its own PostgreSQL. */
export async function openBackstage({ dataDir }: Server): Promise<Backstage> {
  const connection = await findRunningPostgres(dataDir)
  if (!connection) throw new Error('the server has no database')
  const keys = await loadSecretKeys({ dataDir, secretKey: undefined, secretKeyPrevious: undefined })
  return prepareBackstage(connection, new Secrets(...keys))
}

/** Backstage of the nodes that share this database and secret key. */
export function openSharedBackstage(databaseUrl: string, secretKey: string): Promise<Backstage> {
  return prepareBackstage({ connectionString: databaseUrl }, new Secrets(secretKey))
}

async function prepareBackstage(connection: ClientConfig, secrets: Secrets): Promise<Backstage> {
  const db = new Database({ ...connection, max: 2 })
  return { db, secrets, orgId: await addOrganization(db), close: () => db.close() }
}

export async function addOrganization(db: Database): Promise<string> {
  const { orgId } = await db.transaction((open) => foundOrganization(open, { name: 'Bench' }))
  return orgId
}

export function makeBots({ db, secrets, orgId }: Backstage, count: number): Promise<Bot[]> {
  return db.write(orgId, (tx) =>
    times(count, async (number) => {
      const options = { name: `Bot ${number}`, permission: 'write', delivery: 'polling' } as const
      const { botId, apiKey, apiSecret } = await createStaticBot(tx, secrets, options)
      return { id: botId, apiKey, apiSecret }
    }),
  )
}

export function makeWebhookBots({ db, secrets, orgId }: Backstage, urls: readonly string[]): Promise<Bot[]> {
  return db.write(orgId, (tx) =>
    times(urls.length, async (number) => {
      const { botId, apiKey, apiSecret } = await createStaticBot(tx, secrets, {
        name: `Webhook ${number}`,
        permission: 'write',
        delivery: 'webhook',
        webhookUrl: urls[number] ?? '',
      })
      return { id: botId, apiKey, apiSecret }
    }),
  )
}

/** Bots whose tokens come from the endpoint, as usual for bots. */
export async function makeOAuthBots(
  { db, secrets, orgId }: Backstage,
  port: number,
  count: number,
): Promise<OAuthBot[]> {
  const made = await db.write(orgId, (tx) =>
    times(count, (number) =>
      createOAuthBot(tx, secrets, { name: `OAuth bot ${number}`, delivery: 'polling' }),
    ),
  )
  return times(made.length, async (number) => {
    const { botId = '', clientId = '', clientSecret = '' } = made[number] ?? {}
    return { id: botId, token: await askForToken(port, clientId, clientSecret) }
  })
}

async function askForToken(port: number, clientId: string, clientSecret: string): Promise<string> {
  const connection = new Connection(port)
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: clientSecret,
  }).toString()
  const head = `POST /oauth/token HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${form.length}\r\n\r\n`
  try {
    const { status, body } = await connection.ask([Buffer.from(head + form)])
    if (status !== 200) throw new Error(`no token: ${status} ${body}`)
    return JSON.parse(body.toString()).access_token
  } finally {
    connection.end()
  }
}

/** Topics with `botsEach` bots, every bot in one of them, and the same people in all. */
export function makeTopics<Member extends { id: string }>(
  { db, orgId }: Backstage,
  bots: readonly Member[],
  { botsEach, people = 0 }: { botsEach: number; people?: number },
): Promise<Topic<Member>[]> {
  return db.write(orgId, async (tx) => {
    const members = await times(people, (number) => makePerson(tx, number))
    return times(Math.floor(bots.length / botsEach), async (number) => {
      const own = bots.slice(number * botsEach, (number + 1) * botsEach)
      return makeTopic(tx, own, members, number)
    })
  })
}

async function makeTopic<Member extends { id: string }>(
  tx: Transaction,
  bots: Member[],
  people: readonly string[],
  number: number,
): Promise<Topic<Member>> {
  const [first, ...others] = bots
  if (!first) throw new Error('a topic needs a bot')
  const { id } = await createTopic(tx, {
    createdBy: first.id,
    name: `Topic ${number}`,
    members: [...others.map((bot) => bot.id), ...people],
  })
  return { id, bots }
}

const makePerson = (tx: Transaction, number: number): Promise<string> =>
  addPerson(tx, {
    name: `Person ${number}`,
    email: `person-${number}-${tx.orgId}@example.com`,
    status: 'Active',
  })

/** Every bot sends into its topics in turn. */
export function sendersOf(topics: readonly Topic<Bot | OAuthBot>[]): Sender[] {
  return topics.flatMap(({ id, bots }) => bots.map((bot) => ({ topicId: id, credentials: bot })))
}

async function times<Result>(count: number, make: (number: number) => Promise<Result>): Promise<Result[]> {
  const made: Result[] = []
  for (let number = 0; number < count; number++) made.push(await make(number))
  return made
}
