import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { OPERATOR } from '../server/actions/organization/audit.ts'
import { createLabel } from '../server/actions/topics/labels.ts'
import type { Place } from '../server/backup/places.ts'
import { sql } from '../server/db/sql.ts'
import { MANIFEST } from '../server/export/export.ts'
import { RECORD_KINDS } from '../server/export/records.ts'
import { firstUuidAt } from '../server/ids.ts'
import { RecordChecks } from '../server/import/check-records.ts'
import { checkExport, importOrganization } from '../server/import/parley.ts'
import { emailKey } from '../server/text.ts'
import { organization } from './support/cast.ts'
import { newThings } from './support/console.ts'
import { importFolder } from './support/deleted-imports.ts'
import { type ExportFiles, writeFolder } from './support/exports.ts'
import { type Entries, exportedEntries, forge, recordsOf, targetOf } from './support/forged-exports.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { signInAs } from './support/people.ts'

let here: TestParley
let there: TestParley
let orgId: string
let incoming: string
let entries: Entries

beforeAll(async () => {
  ;[here, there] = await Promise.all([startTestParley(), startTestParley()])
  orgId = await organization(here, 'Acme')
  const ada = await signInAs(here, { orgId, name: 'Ada', role: 'owner', email: 'ada@example.com' })
  await newThings(here, orgId, ada)
  entries = await exportedEntries(here.parley, orgId)
  incoming = await mkdtemp(join(tmpdir(), 'parley-incoming-'))
})
afterAll(async () => {
  await Promise.all([here.close(), there.close()])
  await rm(incoming, { recursive: true, force: true })
})

async function take(place: Place): Promise<string> {
  const { db, secrets, files } = there.parley
  try {
    const checked = await checkExport(place, db.clock())
    await importOrganization({ db, secrets, storage: files.storage, incoming }, place, checked)
    return 'taken'
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** Rows that an export could have added. */
const landed = async () =>
  (
    await there.parley.db.query<{ count: number }>(sql`
      select (select count(*) from organizations) + (select count(*) from accounts) + (select count(*) from profiles) as count`)
  )[0]?.count

function isRight(kind: string, record: Record<string, unknown>): boolean {
  checks ??= new RecordChecks(JSON.parse(String(entries.get(MANIFEST))).fields, there.parley.clock())
  const known = RECORD_KINDS.find(({ name }) => name === kind)
  if (!known) throw new Error(`no records of the kind ${kind}`)
  const before = checks.refusal
  checks.check(known, [JSON.stringify(record)])
  return checks.refusal === before // it counts faults
}
let checks: RecordChecks | undefined

/** Fields that hold JSON of any form. */
const JSON_FIELDS = new Set(['details', 'fieldValues', 'data', 'record'])
const LONG = 'x'.repeat(300_000)
const HIDDEN = 'in\u202Evisible\n'
const FAR = Date.UTC(4000, 0, 1)

/** Values that no request could have set. */
const HOSTILE: Record<string, Record<string, readonly unknown[]>> = {
  organization: { name: [HIDDEN, ''], sizeRange: ['huge'], rateLimit: [-1], createdAt: [FAR] },
  members: {
    name: [HIDDEN, '', '   \n'],
    email: [
      'x',
      'a@b',
      'a@example.com\nBcc: b@example.com',
      'mallory@example.com',
      `${'a'.repeat(250)}@b.example`,
    ],
    emailKey: ['victim@example.com', 'ADA@EXAMPLE.COM', null],
    role: ['root', 'OWNER'],
    status: ['Alive'],
    title: [HIDDEN],
    statusEmoji: ['lol'],
    erasedAt: [1_700_000_000_000],
  },
  'org-units': { name: [HIDDEN], tagKey: ['other'] },
  bots: { webhookUrl: ['file:///etc/passwd', 'javascript:alert(1)'], scopes: [['everything']] },
  'webhook-addresses': { webhookUrl: ['ftp://example.com/', 'nowhere'] },
  emoji: { name: ['Bad Name', '../x'] },
  labels: { name: [HIDDEN], nameKey: ['other'] },
  topics: { name: [HIDDEN], memberKey: ['everybody'], createdAt: [FAR] },
  'topic-members': { reach: ['beyond'] },
  'incoming-webhooks': { name: [HIDDEN], format: ['exe'] },
  messages: {
    id: ['ffffffff-ffff-7fff-bfff-ffffffffffff'],
    text: ['x'.repeat(10_001)],
    mentions: [['everybody']],
    createdAt: [FAR],
    reactions: [[{ emoji: 'lol', count: 1 }], [{ emoji: '🚀', count: -1 }]],
    details: [{ preview: { url: 'javascript:alert(1)', title: 'x' } }, { poll: { id: 1 } }],
    attachments: [[{ id: 'x', type: 'file', contentType: 'text/html\r\nX-Y: z', size: 1 }]],
  },
  reactions: { emoji: ['lol', ''] },
  polls: { options: [[{ id: 'x'.repeat(7), text: 'y' }]], selectionType: ['all'] },
  'audit-log': {
    changes: [['x']],
    id: ['ffffffff-ffff-7fff-bfff-ffffffffffff', 'x'],
    at: [FAR, -1],
    action: ['member.teleported', 'constructor'],
    targetType: ['planet'],
  },
}

describe('a forged export of Parley', () => {
  it('is refused for each field of each record, and nothing of it lands', { timeout: 240_000 }, async () => {
    const records = recordsOf(entries)
    expect(Object.keys(HOSTILE).filter((kind) => !records.has(kind))).toEqual([])
    for (const [kind, fields] of Object.entries(HOSTILE))
      for (const [field, values] of Object.entries(fields))
        for (const value of values) {
          const answer = await take(await forge(entries, kind, { [field]: value }))
          const place = `${kind}.${field}: ${JSON.stringify(value).slice(0, 100)}`
          expect(answer, place).toMatch(/no whole export of Parley: 1 of its records break the rules/)
        }
    for (const [kind, all] of records) {
      const target = targetOf(kind, all)
      for (const [field, value] of Object.entries(target)) {
        const isJson = JSON_FIELDS.has(field) || (value !== null && typeof value === 'object')
        const wrong = [
          isJson ? 'a text' : { a: { b: 1 } },
          ...(typeof value === 'string' ? [LONG] : []),
          ...(typeof value === 'number' ? [-1e300] : []),
        ]
        for (const other of wrong)
          expect(isRight(kind, { ...target, [field]: other }), `${kind}.${field}`).toBe(false)
      }
      expect(isRight(kind, { ...target, another: 1 }), `${kind}.another`).toBe(false)
      expect(isRight(kind, target), kind).toBe(true)
    }
    expect(records.size).toBeGreaterThan(20)
    expect(await landed()).toBe(0)
  })

  it('names what is wrong, some of it, and nothing that a terminal would obey', async () => {
    const answer = await take(await forge(entries, 'members', { id: '\u001b[2J', name: HIDDEN }))
    expect(answer).toMatch(/1 of its records break the rules that requests keep \(members, \[2J: id\)/)
    expect(answer).not.toContain('\u001b')
    const many = Object.fromEntries([...entries].map(([name, bytes]) => [name, bytes]))
    const [name = ''] = Object.keys(many).filter((one) => one.startsWith('records/messages/'))
    const lines = String(many[name]).trim().split('\n')
    const bad = lines.map((line) => JSON.stringify({ ...JSON.parse(line), type: 'spell' }))
    const place = await forge(new Map([...entries, [name, Buffer.from(`${bad.join('\n')}\n`)]]), '', {})
    expect(await take(place)).toContain(`${lines.length} of its records break the rules`)
  })

  it('that is not forged is taken, and all that comes later has later ids, also by a clock that is behind', async () => {
    const soon = there.parley.clock() + 3_600_000
    const id = `${firstUuidAt(soon).slice(0, 24)}${'0'.repeat(12)}`
    expect(await take(await forge(entries, 'audit-log', { id, at: soon }))).toBe('taken')
    expect(await landed()).toBeGreaterThan(3)
    await there.parley.db.write(orgId, (tx) => createLabel(tx, 'after the import', OPERATOR))
    const newest = await there.parley.db.query(
      sql`select target_name as name from audit_log where org_id = ${orgId} order by id desc limit 1`,
    )
    expect(newest).toEqual([{ name: 'after the import' }])
  })
})

/** The record with a new value at a path such as `profile.email`. */
function withValue(record: unknown, path: string, value: unknown): unknown {
  const [name = '', ...rest] = path.split('.')
  const changed = (found: unknown) => (rest.length === 0 ? value : withValue(found, rest.join('.'), value))
  if (Array.isArray(record))
    return record.map((entry, index) => (String(index) === name ? changed(entry) : entry))
  return { ...Object(record), [name]: changed(Object(record)[name]) }
}

/** Paths to all values of a record, including lists and objects. */
const pathsOf = (value: unknown): string[] =>
  typeof value !== 'object' || value === null
    ? []
    : Object.entries(value).flatMap(([name, inner]) => [
        name,
        ...pathsOf(inner).map((path) => `${name}.${path}`),
      ])

const WRONG: readonly unknown[] = [
  ...[LONG.slice(0, 20_000), HIDDEN, '\u0000', '\ud800', '', 'javascript:alert(1)', '../../etc/passwd'],
  ...[`${'a'.repeat(300)}@example.com`, 'a@example.com\nBcc: b@example.com', 'constructor', '__proto__'],
  ...[-1, 0, 1.5, 1e300, Number.MAX_SAFE_INTEGER, true, null, {}, [], [[]], [{ id: {} }]],
]

/** A valid record, followed by one for each fault of each value. */
const spoiled = (record: (number: number) => object): object[] => {
  const variants = pathsOf(record(0)).flatMap((path) => WRONG.map((value) => ({ path, value })))
  return [
    record(0),
    ...variants.map(({ path, value }, index) => Object(withValue(record(index + 1), path, value))),
  ]
}

const TIME = Date.UTC(2024, 0, 1)

const hostileSlack = (): ExportFiles => ({
  'users.json': spoiled((number) => ({
    id: `U${number}`,
    name: 'somebody',
    deleted: false,
    is_bot: false,
    profile: { real_name: 'Good Name', email: `good${number}@example.com`, title: 'Good title' },
  })),
  'channels.json': spoiled((number) => ({
    id: `C${number}`,
    name: `good-${number}`,
    created: TIME / 1000,
    creator: 'U0',
    members: ['U0'],
    is_archived: false,
    topic: { value: 'Good topic' },
    pins: [{ id: `${TIME / 1000}.000100`, user: 'U0', created: TIME / 1000 }],
  })),
  'good-0/2024-01-01.json': spoiled((number) => ({
    type: 'message',
    ts: `${TIME / 1000 + number}.000100`,
    user: 'U0',
    text: 'good words',
    thread_ts: `${TIME / 1000}.000100`,
    edited: { ts: `${TIME / 1000 + number + 1}.000100` },
    reactions: [{ name: 'tada', users: ['U0'] }],
    files: [{ id: 'F1', name: 'good.pdf', permalink: 'https://example.com/good' }],
  })),
})

function hostileMattermost(): ExportFiles {
  const lines = (type: string, records: object[]) => records.map((record) => ({ type, [type]: record }))
  return {
    'import.jsonl': [
      { type: 'version', version: 1 },
      ...lines(
        'emoji',
        spoiled((number) => ({ name: `good_${number}`, image: 'good.png' })),
      ),
      ...lines(
        'channel',
        spoiled((number) => ({
          team: 'acme',
          name: `good-${number}`,
          display_name: 'Good',
          type: 'O',
          header: 'Good',
        })),
      ),
      ...lines(
        'user',
        spoiled((number) => ({
          username: `u${number}`,
          email: `good${number}@example.com`,
          first_name: 'Good',
          position: 'Good title',
          delete_at: 0,
          roles: 'system_user',
          teams: [{ name: 'acme', channels: [{ name: 'good-0' }] }],
        })),
      ),
      ...lines(
        'direct_channel',
        spoiled((number) => ({ members: ['u0', `u${number}`] })),
      ),
      ...lines(
        'post',
        spoiled((number) => ({
          team: 'acme',
          channel: 'good-0',
          user: 'u0',
          message: 'good words',
          create_at: TIME + number * 1000,
          edit_at: TIME + number * 1000 + 1,
          is_pinned: false,
          reactions: [{ user: 'u0', emoji_name: 'tada' }],
          attachments: [{ path: 'good.pdf' }],
          replies: [{ user: 'u0', message: 'good answer', create_at: TIME + number * 1000 + 2 }],
        })),
      ),
    ]
      .map((line) => JSON.stringify(line))
      .join('\n'),
  }
}

describe.each([
  ['slack' as const, hostileSlack],
  ['mattermost' as const, hostileMattermost],
])('an export of %s with every value made wrong in turn', (format, files) => {
  it('brings what is good, and nothing that a request could not', { timeout: 240_000 }, async () => {
    const into = await organization(here, 'Imported')
    await signInAs(here, { orgId: into, name: 'Ada', role: 'owner', email: `owner-${format}@example.com` })
    const folder = await writeFolder(join(incoming, format), files())
    const report = await importFolder(here.parley, into, format, folder)
    const texts = await here.parley.db.query<{ text: string }>(
      sql`select text from messages where org_id = ${into} and text like 'good words%'`,
    )
    expect(texts.length).toBeGreaterThan(100)
    expect(report.people.added).toBeGreaterThan(50)
    expect(report.topics.added).toBeGreaterThan(50)
    expect(report.skipped.every(({ places }) => places.length <= 100)).toBe(true)
    expect(
      report.skipped.find(({ reason }) => reason.startsWith('people whose address is none')),
    ).toBeDefined()
    expect(JSON.stringify(report.skipped)).not.toMatch(/\\u202e|\\n/i)
    // The rules of an export check the imported rows.
    const landedEntries = await exportedEntries(here.parley, into)
    expect(await checkExport(await forge(landedEntries, '', {}), here.parley.clock())).toBeDefined()
    const accounts = await here.parley.db.query<{ email: string; key: string }>(
      sql`select a.email, a.email_key as key from accounts a join profiles p on p.account_id = a.id where p.org_id = ${into}`,
    )
    for (const { email, key } of accounts) expect(emailKey(email)).toBe(key)
    const again = await importFolder(here.parley, into, format, folder)
    expect(again).toMatchObject({
      people: { added: 0, nameless: 0 },
      messages: { added: 0 },
      topics: { added: 0 },
    })
  })
})
