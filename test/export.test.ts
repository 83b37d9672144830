import { spawnSync } from 'node:child_process'
import { mkdir, readdir, readFile, truncate, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { replaceApiKey } from '../server/actions/bots/bots.ts'
import { sql } from '../server/db/sql.ts'
import { LEFT_OUT, RECORD_KINDS } from '../server/export/records.ts'
import { organization } from './support/cast.ts'
import { chatOf } from './support/chat.ts'
import { accept, handLink, invite, listed, opens } from './support/claims.ts'
import { call } from './support/client.ts'
import { commandSettings, jsonOf, runHere } from './support/command-here.ts'
import { type CommandLine, openCommandLine } from './support/command-line.ts'
import { newOrganization, newThings } from './support/console.ts'
import { eventuallyHolds } from './support/eventually.ts'
import { form } from './support/forms.ts'
import { startJobs } from './support/jobs.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { signInAs, signInToProfile, type TestPerson, visitor } from './support/people.ts'
import { PNG } from './support/samples.ts'

let here: TestParley
let there: TestParley
let commandLine: CommandLine
let orgId: string
let ada: TestPerson
let ids: Record<string, string>
let first: string

const path = (name: string): string => join(commandLine.folder, name)
const run = (server: TestParley, args: readonly string[]) =>
  runHere(args, commandSettings(server), commandLine.folder)
const runJson = async (server: TestParley, args: readonly string[]) =>
  jsonOf(await run(server, [...args, '--json']))
const exportTo = (name: string) => ['export', '--org', orgId, '--to', path(name)]
const importOf = (name: string, ...more: string[]) => ['import', 'parley', path(name), ...more]

/** Every file of an archive, as a program that knows nothing of Parley unpacks it. */
async function unpack(name: string): Promise<Map<string, string>> {
  const folder = path(`${name}-unpacked`)
  await mkdir(folder, { recursive: true })
  expect(spawnSync('tar', ['-xf', path(name), '-C', folder]).status).toBe(0)
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  return new Map(
    await Promise.all(
      files.map(async (file) => [relative(folder, file), await readFile(file, 'latin1')] as const),
    ),
  )
}

beforeAll(async () => {
  ;[here, there, commandLine] = await Promise.all([startTestParley(), startTestParley(), openCommandLine()])
  const jobs = startJobs(here)
  orgId = await organization(here, 'Äpfel & Co.')
  ada = await signInAs(here, { orgId, name: 'Ada', role: 'owner', email: 'ada@example.com' })
  ids = await newThings(here, orgId, ada)
  const chat = chatOf(ada)
  const { topicId = '', messageId = '' } = ids
  const { body, contentType } = form({ topicId, caption: 'A picture' }, [{ content: PNG, name: 'x.png' }])
  const options = { headers: { 'content-type': contentType } }
  const picture = await chat.post('messages', body, options)
  expect(picture.status).toBeLessThan(300)
  const text = `<@${ada.profileId}> "quoted" \\ back\\n\nslash \u2028 🚀 {"a":1}`
  expect((await chat.post('messages', { topicId, text, parentId: messageId })).status).toBe(201)
  expect((await chat.post(`messages/${messageId}/pin`)).status).toBeLessThan(300)
  const read = () => chat.get(`messages/${Object(picture.body).id}`)
  await eventuallyHolds(async () => expect((await read()).status).toBe(200))
  await jobs.stop()
  first = 'first.tar'
  await commandLine.json(exportTo(first), commandSettings(here))
})
afterAll(async () => {
  await commandLine.close()
  await Promise.all([here.close(), there.close()])
})

describe('an export', () => {
  it('has a record for each row of every table, or a reason why not', async () => {
    const columns = await here.parley.db.query<{ table: string; column: string }>(sql`
      select c.relname as table, a.attname as column from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
      where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and not a.attisdropped`)
    const tables = columns.filter(({ column }) => column === 'org_id').map(({ table }) => table)
    const known = [...RECORD_KINDS.map(({ table }) => table), ...Object.keys(LEFT_OUT)]
    expect(tables.filter((table) => !known.includes(table))).toEqual([])
    expect(known.filter((table) => table !== 'sessions' && !tables.includes(table))).toEqual([])
  })

  it('holds no secret, and lines that any program reads', async () => {
    const files = await unpack(first)
    const lines = [...files].filter(([name]) => name.endsWith('.jsonl'))
    expect(lines.length).toBeGreaterThan(15)
    for (const [, text] of lines)
      for (const line of text.trim().split('\n')) expect(JSON.parse(line)).toBeTypeOf('object')
    const fields = new Set(lines.flatMap(([, text]) => Object.keys(JSON.parse(text.split('\n')[0] ?? ''))))
    expect([...fields].filter((field) => /secret|hash|token$|password|hint/i.test(field))).toEqual([])
  })
})

describe('an import of an export', () => {
  it('says what would come, and writes nothing', async () => {
    const { code, stdout } = await run(there, importOf(first, '--dry-run'))
    expect({ code, stdout }).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Nothing was written'),
    })
    expect(await there.parley.db.query(sql`select 1 from organizations`)).toEqual([])
  })

  it('refuses what is cut off, damaged or newer, and keeps nothing of it', async () => {
    const bytes = await readFile(path(first))
    await writeFile(path('short.tar'), bytes)
    await truncate(path('short.tar'), bytes.length - 5000)
    const at = bytes.indexOf('"quoted')
    await writeFile(
      path('changed.tar'),
      Buffer.concat([bytes.subarray(0, at + 1), Buffer.from('Q'), bytes.subarray(at + 2)]),
    )
    await writeFile(
      path('newer.tar'),
      Buffer.from(bytes.toString('latin1').replace('"format": 1', '"format": 2'), 'latin1'),
    )
    await writeFile(path('none.tar'), 'not an archive at all')
    for (const name of ['short.tar', 'changed.tar', 'newer.tar', 'none.tar', 'missing.tar']) {
      const { code, stderr } = await run(there, importOf(name))
      expect({ name, code, stderr }).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/export|no file/),
      })
      expect(stderr).not.toContain('    at ')
    }
    expect(await there.parley.db.query(sql`select 1 from organizations`)).toEqual([])
    expect(await there.parley.db.query(sql`select 1 from stored_files where sweep_at is null`)).toEqual([])
  })

  it('restores the organization: an export of it is the same, byte for byte', async () => {
    const { code, stderr, stdout } = await commandLine.run(importOf(first), commandSettings(there))
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain('is here')
    await runJson(there, exportTo('second.tar'))
    const [before, after] = [await unpack(first), await unpack('second.tar')]
    const compared = (files: Map<string, string>) =>
      Object.fromEntries(
        [...files].filter(([name]) => !/parley-export|summary|audit-log|checksums/.test(name)),
      )
    expect(Object.keys(compared(after))).toEqual(Object.keys(compared(before)))
    expect(compared(after)).toEqual(compared(before))
    // The import made the only entry since then.
    const [logBefore, logAfter] = [before, after].map(
      (files) => files.get('records/audit-log/000001.jsonl') ?? '',
    )
    expect(logAfter?.startsWith(logBefore ?? '-')).toBe(true)
    expect(logAfter?.slice(logBefore?.length)).toMatch(/^[^\n]*organization\.imported[^\n]*\n$/)
  })

  it('is not done twice', async () => {
    const { code, stderr } = await run(there, importOf(first))
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is on this server already'),
    })
  })

  it('lets people go on where they were', async () => {
    const [row] = await there.parley.db.query<{ password: string | null }>(
      sql`select password from accounts where email_key = 'ada@example.com'`,
    )
    expect(row).toEqual({ password: null })
    const adaThere = await signInToProfile(there, ada)
    const before = Object((await chatOf(ada).get(`topics/${ids.topicId}/history?limit=100`)).body).messages
    const after = Object(
      (await chatOf(adaThere).get(`topics/${ids.topicId}/history?limit=100`)).body,
    ).messages
    const plain = (messages: unknown) =>
      JSON.stringify(messages).replaceAll(/"(url|thumbnailUrl)":"[^"]*"/g, '')
    expect(plain(after)).toBe(plain(before))
    const sent = await chatOf(adaThere).post('messages', { topicId: ids.topicId, text: 'Here again' })
    expect(sent.status).toBe(201)
    const newest = Object(
      (await chatOf(adaThere).get(`topics/${ids.topicId}/history?limit=100`)).body,
    ).messages
    expect(
      newest
        .map(({ id }: { id: string }) => id)
        .toSorted()
        .at(-1),
    ).toBe(Object(sent.body).id)
    const [picture] = after.flatMap(
      (message: { attachmentDetails?: { url: string }[] }) => message.attachmentDetails ?? [],
    )
    const answer = await fetch(picture.url)
    expect(answer.status).toBe(200)
    const mine = await fetch(
      before.flatMap((m: { attachmentDetails?: { url: string }[] }) => m.attachmentDetails ?? [])[0].url,
    )
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(Buffer.from(await mine.arrayBuffer()))
  })

  it('does not open to a stranger who had claimed the address, until an operator vouches for them', async () => {
    const server = await startTestParley()
    onTestFinished(() => server.close())
    const theirs = await newOrganization(server, 'Anybody')
    const stranger = visitor(server.url)
    const link = await handLink(theirs, await invite(theirs, ada.email))
    expect((await accept(stranger, link, 'words that a stranger has chosen')).status).toBe(200)
    expect(await run(server, importOf(first))).toMatchObject({ code: 0 })
    const [newcomer] = await server.parley.db.query<{ id: string }>(sql`
      select id from profiles where org_id = ${orgId} and account_id is not null and id <> ${ada.profileId} limit 1`)
    const early = ['member', 'vouch', '--org', orgId, '--member', newcomer?.id ?? '']
    expect(await run(server, early), 'nobody can sign in as them yet').toMatchObject({
      code: 1,
      stderr: expect.stringContaining('has no password or other way to sign in yet'),
    })
    expect(await listed(stranger)).toEqual({ [theirs.orgId]: undefined, [orgId]: 'address_proof' })
    expect(await opens(stranger, orgId)).toBe(false)
    const vouch = ['member', 'vouch', '--org', orgId, '--member', ada.profileId]
    await runJson(server, vouch)
    expect(await opens(stranger, orgId)).toBe(true)
  })

  it('lets a bot in once its key was replaced, and its webhook wait until then', async () => {
    const { db, secrets } = there.parley
    const [bot] = await db.query(sql`
      select delivery, webhook_url, webhook_paused_at is null as runs from bots where org_id = ${orgId} and id = ${ids.botId}`)
    expect(bot).toEqual({ delivery: 'webhook', webhook_url: 'https://example.com/hook', runs: false })
    const key = await db.write(orgId, (tx) => replaceApiKey(tx, secrets, ids.botId ?? ''))
    const { status, body } = await call(there.url, key, 'GET', `/v2/messages/${ids.messageId}`)
    expect({ status, body }).toMatchObject({ status: 200, body: { id: ids.messageId, topicId: ids.topicId } })
  })

  it('hands over what is of one person, and erases one, by a command', async () => {
    const of = ['--org', orgId, '--member']
    const file = ['--to', path('ada.jsonl')]
    const told = await runJson(there, ['member', 'export', ...of, ada.profileId, ...file])
    const lines = (await readFile(path('ada.jsonl'), 'utf8')).trim().split('\n')
    expect(lines).toHaveLength(Number(told.records))
    expect(lines.map((line) => JSON.parse(line).kind)).toEqual(
      expect.arrayContaining(['members', 'messages', 'topic-members']),
    )
    const refused = await run(there, ['member', 'erase', ...of, ada.profileId])
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('an organization needs an owner'),
    })
    const { memberId = '' } = ids
    await commandLine.json(['member', 'erase', ...of, memberId], commandSettings(there))
    const [erased] = await there.parley.db.query(sql`
      select name, email, status from profiles where org_id = ${orgId} and id = ${memberId}`)
    expect(erased).toEqual({ name: 'Deleted member', email: '', status: 'Deleted' })
  })
})
