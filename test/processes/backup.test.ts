import { spawnSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { readdir, readFile, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { hasStore, openTestBucket } from '../support/bucket.ts'
import { call } from '../support/client.ts'
import { type CommandLine, openCommandLine, type StartedServer } from '../support/command-line.ts'
import { eventually } from '../support/eventually.ts'
import { form } from '../support/forms.ts'
import { copyMigrated } from '../support/migrated-folder.ts'
import { until } from '../support/receiver.ts'
import { hasStandbys, ReplicatedPostgres } from '../support/replicated-postgres.ts'
import { PNG } from '../support/samples.ts'
import { isRunning } from '../support/server-process.ts'
import { itAtNight } from '../support/thorough.ts'

if (!hasStore)
  console.log('skipped: a backup in a bucket needs a store (S3_TEST_ENDPOINT, or pip install moto[server])')

const PASSPHRASE = 'correct horse battery staple'
/** More than a page of them. */
const MESSAGES = 120

let parley: CommandLine
let server: StartedServer
let bot: { botId: string; apiKey: string; apiSecret: string }
let topicId: string
/** Texts acknowledged before the backup began, in their order. */
const before: string[] = []
let offset: string
let file: { content: Buffer; id: string }
let whole: string

const folder = (name: string) => join(parley.folder, name)
const home = (name: string) => ({ DATA_DIR: folder(name), PORT: '0' })
const backup = (environment: Record<string, string>, name: string) =>
  parley.json(['backup', '--to', folder(name)], environment)
const restore = (environment: Record<string, string>, name: string) =>
  parley.run(['restore', '--quiet', '--from', folder(name)], environment)

const ask = (url: string, method: string, path: string, body?: object) =>
  call(url, bot, method, path, body && { body })
const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

async function texts(url: string): Promise<string[]> {
  const found: string[] = []
  for (let query = 'order=asc&limit=100', hasMore = true; hasMore; ) {
    const page = Object((await ask(url, 'GET', `/v2/topics/${topicId}/messages?${query}`)).body)
    found.push(...page.messages.map(({ text }: { text?: string }) => text ?? ''))
    hasMore = page.hasMore
    query = `cursor=${page.nextCursor}`
  }
  return found
}

/** The attachment as a reader of the message gets it. */
async function attachment(url: string): Promise<Buffer> {
  const { body } = await ask(url, 'GET', `/v2/messages/${file.id}`)
  const answer = await fetch(Object(body).attachmentDetails[0].url)
  expect(answer.status).toBe(200)
  return Buffer.from(await answer.arrayBuffer())
}

/** Checks a server on a restored installation: the same bot, messages, files and place in the events. */
async function expectSame(environment: Record<string, string>): Promise<void> {
  const next = await parley.start(environment)
  const url = next.said.address ?? ''
  try {
    const kept = (await texts(url)).filter((text) => text.startsWith('message '))
    expect(kept.slice(0, before.length)).toEqual(before)
    // Messages sent during the backup are complete up to one moment.
    expect(kept).toEqual(kept.map((_, number) => `message ${number}`))
    expect(hash(await attachment(url))).toBe(hash(file.content))
    const answer = await ask(url, 'POST', '/v2/messages', { topicId, text: 'goes on' })
    expect(answer.status).toBe(201)
    const updates = Object((await ask(url, 'GET', `/v2/updates?offset=${offset}&limit=1`)).body).updates
    expect(updates[0].data.message.text).toBe(before.at(-1))
  } finally {
    await next.stop()
  }
}

/** The archive with another byte so far behind the beginning of an entry, whose content begins at 512. */
function damagedBehind(archive: Buffer, entry: string, distance: number): Buffer {
  const at = archive.indexOf(entry) + distance
  return Buffer.from(archive).fill((archive[at] ?? 0) ^ 0xff, at, at + 1)
}

beforeAll(async () => {
  parley = await openCommandLine()
  const environment = { ...home('first'), RATE_LIMIT_PER_MINUTE: '0' }
  await copyMigrated(folder('first'))
  server = await parley.start(environment)
  const url = server.said.address ?? ''
  const org = ['--name', 'Mill', '--admin-email', 'bo@example.com']
  const { organizationId = '' } = await parley.json(['org', 'create', ...org], environment)
  const named = ['--org', organizationId, '--name', 'Bo', '--credential', 'static']
  bot = Object(await parley.json(['bot', 'create', ...named], environment))
  topicId = Object((await ask(url, 'POST', '/v2/topics', { name: 'Records', members: [] })).body).id

  const content = randomBytes(3_000_000)
  const sent = form({ topicId }, [{ content, name: 'plan.bin' }])
  const headers = { 'content-type': sent.contentType }
  const accepted = await call(url, bot, 'POST', '/v2/messages', { body: sent.body, headers })
  file = { content, id: Object(accepted.body).messageId ?? Object(accepted.body).id }
  await until(async () => (await ask(url, 'GET', `/v2/messages/${file.id}`)).status === 200)
  const picture = form({ topicId }, [{ content: PNG, name: 'logo.png' }])
  await call(url, bot, 'POST', '/v2/messages', {
    body: picture.body,
    headers: { 'content-type': picture.contentType },
  })

  let count = 0
  const send = async () => {
    const text = `message ${count++}`
    expect((await ask(url, 'POST', '/v2/messages', { topicId, text })).status).toBe(201)
    return text
  }
  while (before.length < MESSAGES - 1) before.push(await send())
  offset = Object((await ask(url, 'GET', '/v2/updates?offset=newest')).body).nextOffset
  before.push(await send())

  // The server goes on while the backup is made.
  whole = 'whole.backup'
  const making = backup(environment, whole)
  let isMade = false
  making.finally(() => {
    isMade = true
  })
  while (!isMade) await send()
  expect(await making).toMatchObject({ path: folder(whole), isEncrypted: false, missing: [] })
})
afterAll(() => parley.close())

describe('a backup', () => {
  it('is an archive that tar and sha256sum understand', async () => {
    const unpacked = spawnSync('tar', ['xf', folder(whole), '-C', parley.folder, '--one-top-level=unpacked'])
    expect(unpacked.stderr.toString()).toBe('')
    const checked = spawnSync('sha256sum', ['--check', '--quiet', 'checksums.sha256'], {
      cwd: folder('unpacked'),
    })
    expect([checked.status, checked.stdout.toString()]).toEqual([0, ''])
    const summary = JSON.parse(await readFile(join(folder('unpacked'), 'summary.json'), 'utf8'))
    expect(summary.tables.messages.rows).toBeGreaterThan(MESSAGES)
    const key = await readFile(join(folder('unpacked'), 'keys/secret.key'), 'utf8')
    expect(key).toBe(await readFile(join(folder('first'), 'secret.key'), 'utf8'))
  })

  it('is restored into a new folder: messages, files, credentials, and the place in the events', async () => {
    const { code, stdout, stderr } = await restore(home('second'), whole)
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toContain('each as it was')
    await expectSame(home('second'))
  })

  itAtNight(
    'moves an installation to a PostgreSQL of its own, of another major version where there is one, and back',
    async () => {
      const other = hasStandbys ? await ReplicatedPostgres.start('asynchronous') : undefined
      const postgres = other?.connection ?? inject('postgres')
      try {
        const client = new pg.Client({ ...postgres })
        await client.connect()
        await client.query('create database moved')
        await client.end()
        const { user, password, host, port } = postgres
        const address = `postgres://${user}:${password}@/moved?host=${encodeURIComponent(host)}&port=${port}`
        const own = { ...home('third'), DATABASE_URL: address, DRAIN_MS: '0' }
        expect(await restore(own, whole)).toMatchObject({ code: 0, stderr: '' })
        await backup(own, 'moved.backup')
        expect(await restore(home('fourth'), 'moved.backup')).toMatchObject({ code: 0, stderr: '' })
        await expectSame(own)
        await expectSame(home('fourth'))
      } finally {
        await other?.close()
      }
    },
  )

  it('that is encrypted is read with its passphrase alone, and beside no other key', async () => {
    const secret = { BACKUP_PASSPHRASE: PASSPHRASE }
    const made = await backup({ ...home('first'), ...secret }, 'encrypted.backup')
    expect(made).toMatchObject({ isEncrypted: true })
    const bytes = await readFile(folder('encrypted.backup'))
    expect(bytes.includes('message 1')).toBe(false)
    expect(bytes.includes('secret.key')).toBe(false)
    expect((await restore(home('fifth'), 'encrypted.backup')).stderr).toContain('Set BACKUP_PASSPHRASE')
    const plain = await restore({ ...home('fifth'), ...secret }, whole)
    expect(plain).toMatchObject({ code: 1, stderr: expect.stringContaining('The backup is not encrypted') })
    const wrong = await restore({ ...home('fifth'), BACKUP_PASSPHRASE: 'another' }, 'encrypted.backup')
    expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('is not the passphrase')])
    expect(await readdir(parley.folder)).not.toContain('fifth')
    const otherKey = { ...home('fifth'), ...secret, SECRET_KEY: 'another key than the one of the backup' }
    const keyed = await restore(otherKey, 'encrypted.backup')
    expect([keyed.code, keyed.stderr]).toEqual([1, expect.stringContaining('SECRET_KEY is another key')])
    // An interrupted restore is taken over.
    expect(await restore({ ...home('fifth'), ...secret }, 'encrypted.backup')).toMatchObject({ code: 0 })
    await expectSame(home('fifth'))
  })

  it.skipIf(!hasStore)('goes into a bucket and comes back from there, by hand and by schedule', async () => {
    const bucket = await openTestBucket()
    try {
      const store = { ...bucket.environment, BACKUP_PASSPHRASE: PASSPHRASE }
      const address = `s3://${bucket.name}/parley/first.backup`
      const made = await parley.json(['backup', '--to', address], { ...home('first'), ...store })
      expect(made).toMatchObject({ path: address, isEncrypted: true })
      expect((await bucket.read('parley/first.backup')).length).toBe(Number(made.bytes))
      const again = await parley.run(['backup', '--to', address], { ...home('first'), ...store })
      expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('is there already')])
      const other = ['restore', '--from', `s3://${bucket.name}/parley/other.backup`]
      const missing = await parley.run(other, { ...home('sixth'), ...store })
      expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining('There is no s3://')])
      const restored = await parley.run(['restore', '--quiet', '--from', address], {
        ...home('sixth'),
        ...store,
      })
      expect(restored).toMatchObject({ code: 0, stderr: '' })
      await expectSame(home('sixth'))

      await bucket.put('kept/parley-2020-01-01T00-00-00.backup', 'an old one')
      await bucket.put('kept/mine.txt', 'not a backup')
      const schedule = { BACKUP_FOLDER: `s3://${bucket.name}/kept`, BACKUP_KEEP: '1' }
      await copyMigrated(folder('seventh'))
      const keeper = await parley.start({ ...home('seventh'), ...store, ...schedule })
      await eventually(async () => (await bucket.keys()).join(' ')).toMatch(
        /^kept\/mine\.txt kept\/parley-20(?!20)\S*\.backup parley\/first\.backup$/,
      )
      await keeper.stop()
    } finally {
      await bucket.close()
    }
  })

  it('that is not whole is refused before anything is done', async () => {
    const bytes = await readFile(folder(whole))
    const broken: [string, Buffer][] = [
      ['short.backup', bytes.subarray(0, bytes.length / 2)],
      ['table.backup', damagedBehind(bytes, 'tables/messages/000001.gz', 700)],
      ['header.backup', damagedBehind(bytes, 'tables/messages/000001.gz', 30)],
      ['summary.backup', damagedBehind(bytes, 'summary.json', 512)],
      ['changed.backup', Buffer.from(bytes).fill('x', bytes.length / 2, bytes.length / 2 + 1)],
      [
        'text.backup',
        Buffer.from('not a backup, only a text that is longer than a header of one'.repeat(20)),
      ],
      ['empty.backup', Buffer.alloc(0)],
    ]
    for (const [name, content] of broken) {
      await writeFile(folder(name), content)
      const { code, stderr } = await restore(home('never'), name)
      expect([name, code, stderr]).toEqual([name, 1, expect.stringContaining('is no whole backup of Parley')])
    }
    await writeFile(folder('cut.backup'), await readFile(folder('encrypted.backup')))
    await truncate(folder('cut.backup'), 1_000_000)
    const cut = await restore({ ...home('never'), BACKUP_PASSPHRASE: PASSPHRASE }, 'cut.backup')
    expect(cut.stderr).toContain('is no whole backup of Parley: it ends too early')
    expect(await readdir(parley.folder)).not.toContain('never')
  })

  it('replaces nothing, neither an installation nor a file', async () => {
    const filled = await restore(home('first'), whole)
    expect([filled.code, filled.stderr]).toEqual([1, expect.stringContaining('There is an installation')])
    const again = await parley.run(['backup', '--to', folder(whole)], home('first'))
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('is there already')])
    const nothing = await parley.run(['backup', '--to', folder('none.backup')], home('nowhere'))
    expect([nothing.code, nothing.stderr]).toEqual([1, expect.stringContaining('There is nothing of Parley')])
    expect((await readdir(parley.folder)).filter((name) => name.endsWith('.partial'))).toEqual([])
  })

  it('is made by the server on a schedule, and old ones are removed', async () => {
    await server.stop()
    const old = ['parley-2020-01-01T00-00-00.backup', 'parley-2020-01-02T00-00-00.backup']
    await parley.run(['backup', '--to', join(folder('kept'), old[0] ?? '')], home('first'))
    await writeFile(join(folder('kept'), old[1] ?? ''), 'an old one')
    await writeFile(join(folder('kept'), 'mine.txt'), 'not a backup')
    await writeFile(join(folder('kept'), 'parley-2020-01-03T00-00-00.backup.partial'), 'broken off')
    const environment = { ...home('second'), BACKUP_FOLDER: folder('kept'), BACKUP_KEEP: '2' }
    const doctored = await parley.run(['doctor'], environment)
    expect(doctored.stdout).toMatch(/problem {2}Backup\s+none was made yet/)
    const keeper = await parley.start(environment)
    await eventually(async () => (await readdir(folder('kept'))).includes(old[0] ?? '')).toBe(false)
    const names = (await readdir(folder('kept'))).sort()
    expect(names).toEqual(['mine.txt', old[1], expect.stringMatching(/^parley-20(?!20).*\.backup$/)])
    expect((await parley.run(['doctor'], environment)).stdout).toMatch(/ok\s+Backup\s+0 hours old/)
    await keeper.stop()
    expect(await isRunning(keeper.child.pid ?? 0)).toBe(false)
  })
})
