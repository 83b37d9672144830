import { SignJWT } from 'jose'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createIncomingWebhook } from '../server/actions/bots/incoming-webhooks.ts'
import { OPERATOR } from '../server/actions/organization/audit.ts'
import { sql } from '../server/db/sql.ts'
import { ENCRYPTED } from '../server/keys/re-encrypt.ts'
import { continueRotation, readRotationState, rotateSecretKey } from '../server/keys/rotation.ts'
import { queueMail } from '../server/mail/queue.ts'
import { openParley } from '../server/parley.ts'
import { Secrets } from '../server/secrets.ts'
import {
  at,
  type OAuthTestBot,
  oauthBot,
  organization,
  type StaticTestBot,
  staticBot,
} from './support/cast.ts'
import { eventually } from './support/eventually.ts'
import { postTo } from './support/incoming.ts'
import { lastMail } from './support/mails.ts'
import { SECRET_KEY, startTestParley, type TestParley } from './support/parley.ts'

const NEW_KEY = 'another key for tests, long enough as well'
const HOUR = 3_600_000
const DAY = 24 * HOUR

let server: TestParley
let other: TestParley
let orgId: string
let deploy: StaticTestBot
let calendar: OAuthTestBot

async function startBoth(): Promise<void> {
  server = await startTestParley()
  other = await server.secondNode()
  orgId = await organization(server)
  deploy = await staticBot(server, orgId)
  calendar = await oauthBot(server, orgId)
}

/** An operator's step before the command: the new key into the environment, the former one beside it. */
function giveNewKey(node: TestParley): void {
  node.parley.config.secretKey = NEW_KEY
  node.parley.config.secretKeyPrevious = SECRET_KEY
}
const rotate = () => rotateSecretKey(server.parley)
const state = () => readRotationState(server.parley)
const OLD = new Secrets(SECRET_KEY)
const NEW = new Secrets(NEW_KEY)

async function valuesAtRest(): Promise<Buffer[]> {
  const { db } = server.parley
  const rows = await db.query<{ value: Buffer }>(sql`
    select secret as value from bots union all select body from idempotent_answers
    union all select content from mails union all select secret from incoming_webhooks`)
  return rows.map(({ value }) => value)
}

/** Makes something with each kind of key, and a way to use it. */
async function makeThings() {
  const make = async (name: string) =>
    deploy.post('/v2/topics', { name, members: [] }, { headers: { 'idempotency-key': 'once' } })
  const topic = Object((await make('Kept answer')).body)
  await deploy.post('/v2/topics', { name: 'Second', members: [] })
  const { nextCursor } = Object((await deploy.get('/v2/topics?limit=1')).body)
  const { nextOffset } = Object((await deploy.get('/v2/updates')).body)
  const link = server.parley.links.for({ orgId: deploy.orgId, profileId: deploy.id })('att_0/a.txt')
  const [expires = '', signature = ''] = [/expires=(\d+)/, /signature=(.*)/].map(
    (part) => part.exec(link)?.[1],
  )
  const hook = { topicId: topic.id, name: 'Builds', secret: 'a-secret-of-the-sender' }
  const { token } = await server.parley.db.write(deploy.orgId, (tx) =>
    createIncomingWebhook(tx, server.parley, OPERATOR, deploy.id, hook),
  )
  const mail = { to: 'ada@example.com', subject: 'Hello', text: 'Hello' }
  await server.parley.db.transaction((open) => queueMail(open, server.parley.secrets, mail))
  return async (node: TestParley) => {
    const bot = at(node.url, deploy)
    const again = await bot.post(
      '/v2/topics',
      { name: 'Kept answer', members: [] },
      { headers: { 'idempotency-key': 'once' } },
    )
    return {
      key: (await bot.get('/v2/members/me')).status,
      token: (await at(node.url, calendar).get('/v2/members/me')).status,
      cursor: (await bot.get(`/v2/topics?cursor=${nextCursor}`)).status,
      offset: (await bot.get(`/v2/updates?offset=${nextOffset}`)).status,
      link: node.parley.links.read('att_0/a.txt', expires, signature) !== undefined,
      isSameAnswer: Object(again.body).id === topic.id,
      incoming: (
        await postTo(
          `${node.url}/in/${token}`,
          { text: 'Hello' },
          { headers: { Authorization: `Bearer ${hook.secret}` } },
        )
      ).status,
      mail: (await lastMail(node, 'ada@example.com')).text,
    }
  }
}
const ALL_WORK = {
  key: 200,
  token: 200,
  cursor: 200,
  offset: 200,
  link: true,
  isSameAnswer: true,
  incoming: 200,
  mail: 'Hello',
}

describe('a change of the secret key', () => {
  beforeEach(startBoth)
  afterEach(() => server.close())

  it('begins only when every node knows the new key', async () => {
    expect(await rotate().catch((error: Error) => error.message)).toMatch(
      /set SECRET_KEY_PREVIOUS to the present one/,
    )
    giveNewKey(server)
    const started = rotate().catch((error: Error) => error.message)
    await eventually(async () => server.parley.secrets.fingerprints.length).toBe(2)
    expect(await state()).toMatchObject({ state: 'none', fingerprint: OLD.fingerprint })
    expect((await deploy.get('/v2/members/me')).status).toBe(200)
    giveNewKey(other)
    // The node reads its keys when the command tells it to, or half a minute later; a restart does the same.
    await other.parley.notifications.send('parley_secret_key', '')
    expect(await started).toMatchObject({ fingerprint: NEW.fingerprint, state: 'waiting', remaining: 0 })
  })

  it('re-encrypts everything, while all that was made before goes on working on all nodes', async () => {
    const works = await makeThings()
    expect(await works(server)).toEqual(ALL_WORK)
    for (const node of [server, other]) giveNewKey(node)
    const before = await valuesAtRest()
    expect(before.length).toBeGreaterThanOrEqual(4)
    expect(before.every((value) => value[0] === 1)).toBe(true)

    expect(await rotate()).toMatchObject({ state: 'waiting', former: OLD.fingerprint, remaining: 0 })
    const after = await valuesAtRest()
    expect(after).toHaveLength(before.length)
    expect(after.every((value) => value.subarray(0, NEW.mark.length).equals(NEW.mark))).toBe(true)
    await eventually(async () => other.parley.secrets.fingerprint).toBe(NEW.fingerprint)
    expect(await works(server)).toEqual(ALL_WORK)
    expect(await works(other)).toEqual(ALL_WORK)

    const young = await staticBot(other, orgId, 'Young bot')
    expect((await at(server.url, young).get('/v2/members/me')).status).toBe(200)
    expect((await valuesAtRest()).some((value) => value[0] === 1)).toBe(false)
  })

  it('ends when nothing needs the former key, which is then of no use', async () => {
    const works = await makeThings()
    for (const node of [server, other]) giveNewKey(node)
    const { formerUntil = 0 } = await rotate()
    expect(formerUntil - server.parley.clock()).toBeGreaterThan(6 * DAY)
    server.clock.ahead = 6 * DAY
    await continueRotation(server.parley)
    expect(await state()).toMatchObject({ state: 'waiting' })
    server.clock.ahead = 7 * DAY + HOUR
    await continueRotation(server.parley)
    expect(await state()).toMatchObject({ state: 'finished', fingerprint: NEW.fingerprint })
    expect(server.parley.secrets.fingerprints).toEqual([NEW.fingerprint])
    await eventually(async () => other.parley.secrets.fingerprints).toEqual([NEW.fingerprint])
    server.clock.ahead = 0
    expect(await works(server)).toMatchObject({ key: 200, token: 401, cursor: 400, offset: 400, link: false })

    const { config, log, db } = server.parley
    const open = (keys: Pick<typeof config, 'secretKey' | 'secretKeyPrevious'>) =>
      openParley({ config: { ...config, ...keys }, connection: db.config, log })
    const alone = await open({ secretKey: NEW_KEY, secretKeyPrevious: undefined })
    await alone.close()
    await expect(open({ secretKey: SECRET_KEY, secretKeyPrevious: undefined })).rejects.toThrow(
      'The secret key is not the one',
    )
  })
})

describe('a change of the secret key that waits for what was made before', () => {
  beforeAll(async () => {
    await startBoth()
    await server.parley.db.query(sql`
      update organizations set retention_days_ceiling = 90 where org_id = ${orgId}`)
    for (const node of [server, other]) giveNewKey(node)
    await rotate()
  })
  afterAll(() => server.close())

  it('waits for the offsets of an organization whose events are kept for longer', async () => {
    const { formerUntil = 0 } = await state()
    expect(formerUntil - server.parley.clock()).toBeGreaterThan(89 * DAY)
  })

  it('goes on where it stopped, and never begins a second one in between', async () => {
    const { startedAt } = await state()
    const [{ secret } = { secret: Buffer.alloc(0) }] = await server.parley.db.query<{ secret: Buffer }>(
      sql`select secret from bots where id = ${deploy.id}`,
    )
    const plain = server.parley.secrets.decrypt(secret, deploy.id)
    // Leaves the row as a slow transaction, or a killed command, would.
    await server.parley.db.query(
      sql`update bots set secret = ${OLD.encrypt(plain, deploy.id)} where id = ${deploy.id}`,
    )
    expect(await state()).toMatchObject({ state: 're-encrypting', remaining: 1 })
    expect(await rotate()).toMatchObject({ state: 'waiting', remaining: 0, startedAt })
    expect((await deploy.get('/v2/members/me')).status).toBe(200)
  })

  it('makes no tokens or links with the former key valid for longer than its last ones', async () => {
    const now = server.parley.clock()
    const forged = await new SignJWT({ scope: 'member:read', gen: 0 })
      .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt' })
      .setSubject(calendar.id)
      .setIssuedAt(Math.floor(now / 1000))
      .setExpirationTime(Math.floor((now + DAY) / 1000))
      .sign(OLD.tokenKey)
    const expires = String(now + DAY)
    const signature = `AA.${OLD.sign('attachment link', `AA att_0/a.txt?${expires}`)}`
    const isLink = () => server.parley.links.read('att_0/a.txt', expires, signature) !== undefined
    expect(await server.parley.tokens.read(forged)).toBeDefined()
    expect(isLink()).toBe(true)

    await server.parley.tokens.read('x.y.z')
    const node = await server.secondNode({ secretKey: NEW_KEY, secretKeyPrevious: SECRET_KEY })
    node.clock.ahead = server.clock.ahead = HOUR + 1000
    expect(await node.parley.tokens.read(forged)).toBeUndefined()
    expect(isLink()).toBe(false)
  })

  it('knows every column that holds something encrypted', async () => {
    const rows = await server.parley.db.query<{ column: string }>(sql`
      select table_name || '.' || column_name as column from information_schema.columns
      where table_schema = 'public' and data_type = 'bytea' order by 1`)
    const notEncrypted = /\.(\w*hash|public_key)$/
    const encrypted = rows.map(({ column }) => column).filter((column) => !notEncrypted.test(column))
    expect(encrypted).toEqual(ENCRYPTED.map(({ table, column }) => `${table}.${column}`).toSorted())
  })
})
