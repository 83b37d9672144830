import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../server/db/sql.ts'
import { indexEverything } from '../server/search/indexer.ts'
import type { StaticTestBot } from './support/cast.ts'
import { chatOf } from './support/chat.ts'
import { jsonOf } from './support/command-here.ts'
import { type ExportFiles, mattermostExport, slackExport, writeFolder, writeZip } from './support/exports.ts'
import { type Imports, messagesIn, openImports, topicsOf } from './support/imports.ts'
import { signInToProfile, type TestPerson } from './support/people.ts'
import { PDF, PNG } from './support/samples.ts'

let imports: Imports

beforeAll(async () => {
  imports = await openImports()
})
afterAll(() => imports.close())

const SLACK: ExportFiles = {
  'users.json': [
    { id: 'U1', name: 'ada', profile: { real_name: 'Ada L.', email: 'ADA@example.com' } },
    {
      id: 'U2',
      name: 'ben',
      profile: { real_name: 'Ben\u202E\n', email: 'ben@example.com', title: 'Designer' },
    },
    { id: 'U3', name: 'gone', deleted: true, profile: { real_name: 'Gone Girl', email: 'gone@example.com' } },
    { id: 'U4', name: 'nomail', profile: { real_name: 'No Mail' } },
    { name: 'no id' },
  ],
  'channels.json': [
    {
      id: 'C1',
      name: 'releases',
      created: 1700000000,
      creator: 'U2',
      members: ['U1', 'U2', 'U3', 'U4'],
      topic: { value: 'See <https://example.com|the plan>' },
      pins: [{ id: '1700000100.000200', type: 'C', user: 'U2', created: 1700000500 }],
    },
    { id: 'C2', name: 'old', is_archived: true, members: ['U1'] },
  ],
  'groups.json': [{ id: 'G1', name: 'secret', members: ['U2'] }],
  'dms.json': [
    { id: 'D1', members: ['U1', 'U2'] },
    { id: 'D2', members: ['U1'] },
  ],
  'releases/2023-11-14.json': [
    {
      type: 'message',
      subtype: 'channel_join',
      user: 'U1',
      ts: '1700000050.000100',
      text: '<@U1> has joined',
    },
    {
      type: 'message',
      user: 'U2',
      ts: '1700000100.000200',
      text: 'Ship *it*, <@U1> and <@U3> :tada: &lt;script&gt;alert(1)&lt;/script&gt;',
      reactions: [
        { name: '+1::skin-tone-3', users: ['U1', 'U2'], count: 2 },
        { name: 'party_parrot', users: ['U1'], count: 1 },
        { name: 'No Name', users: ['U1'], count: 1 },
      ],
      edited: { user: 'U2', ts: '1700000150.000000' },
      thread_ts: '1700000100.000200',
    },
    { type: 'message', user: 'U3', ts: '1700000200.000300', thread_ts: '1700000100.000200', text: 'On it' },
    {
      type: 'message',
      subtype: 'bot_message',
      bot_id: 'B1',
      username: 'Build bot',
      ts: '1700000300.000400',
      text: '',
      attachments: [{ title: 'Build 7', title_link: 'https://example.com/7', text: 'passed' }],
    },
    { type: 'message', user: 'U1', ts: '1700000400.000500', text: `a${'\u0000'}${'x'.repeat(10_500)}` },
    {
      type: 'message',
      user: 'U1',
      ts: '1700000450.000500',
      thread_ts: '1600000000.000100',
      text: 'a reply to what is missing',
    },
    { type: 'message', user: 'U1', ts: '99999999999.000500', text: 'from the future' },
    {
      type: 'message',
      user: 'U4',
      ts: '1700000500.000600',
      text: '',
      files: [{ name: 'plan.pdf', permalink: 'https://x.slack.com/files/1' }],
    },
    {
      type: 'message',
      user: 'U1',
      ts: '1700000600.000700',
      text: 'The plan',
      files: [
        { id: 'F1', name: 'plan.pdf', title: 'A plan', permalink: 'https://x.slack.com/files/F1' },
        { id: 'F2', name: 'gone.pdf', permalink: 'https://x.slack.com/files/F2' },
      ],
    },
    'nonsense',
    { type: 'message', ts: 'never', text: 'x' },
  ],
  'releases/2023-11-15.json': '[{"type": "message", "ts"',
  'secret/2023-11-14.json': [
    { type: 'message', user: 'U2', ts: '1700000100.000200', text: 'Nobody may see this' },
  ],
  '__uploads/F1/plan.pdf': PDF,
  'D1/2023-11-14.json': [{ type: 'message', user: 'U1', ts: '1700000100.000200', text: 'Hello Ben' }],
}

describe('an export of Slack', () => {
  let orgId: string
  let ada: TestPerson
  let bot: StaticTestBot
  beforeAll(async () => {
    ;({ orgId, ada, bot } = await imports.emptyOrganization())
  })

  it('can be looked at before anything is written', async () => {
    const path = await writeZip(`${imports.place()}.zip`, SLACK)
    const report = await imports.json('slack', path, orgId, '--dry-run')
    expect(report).toMatchObject({
      dryRun: true,
      people: { matched: 1, added: 1 },
      topics: { added: 4, matched: 0 },
      messages: { added: 10, alreadyThere: 0 },
      reactions: 3,
      files: { added: 1, alreadyThere: 0 },
    })
    expect(await topicsOf(ada)).toEqual([])
    const [people] = await imports.server.parley.db.query<{ count: number }>(sql`
      select count(*) from profiles where org_id = ${orgId} and kind = 'user'`)
    expect(people?.count).toBe(1)
  })

  it('becomes topics with their people, threads, reactions and pins, once', async () => {
    const path = await writeZip(`${imports.place()}.zip`, SLACK)
    const { stdout, code } = await imports.begin(['import', 'slack', path, '--org', orgId]).ended
    expect(code).toBe(0)
    expect(stdout).toContain(
      '1 lines about joining, leaving and settings (releases/2023-11-14.json, entry 1)',
    )
    expect(stdout).toContain('1 files that cannot be read (releases/2023-11-15.json)')
    expect(stdout).toContain('1 messages without a time in the past')
    expect(stdout).toContain('1 notes to oneself')
    expect(stdout).toContain('2 files that are not in the export (releases, 1700000500.000600, plan.pdf; ')
    expect(stdout).toContain('1 reactions with an emoji whose name cannot be one here')

    const topics = await topicsOf(ada)
    expect(topics.map(({ name, type, open }) => ({ name, type, open }))).toEqual(
      expect.arrayContaining([
        { name: 'releases', type: 'topic', open: true },
        { name: 'old', type: 'topic', open: true },
        { name: 'Ben', type: 'dm', open: false },
      ]),
    )
    expect(topics).toHaveLength(3) // the private one is Ben's alone
    const releases = topics.find(({ name }) => name === 'releases')
    if (!releases) throw new Error('no topic')
    const messages = await messagesIn(ada, releases.id)
    const texts = messages.map(({ text }) => String(text))
    const first = messages.find(({ text }) => String(text).startsWith('Ship'))
    expect(first).toMatchObject({
      text: `Ship **it**, <@${ada.profileId}> and @Gone Girl 🎉 <script>alert(1)</script>`,
      isEdited: true,
      createdAt: 1700000100000,
      reactions: [
        { emoji: '👍🏼', count: 2 },
        { emoji: ':party_parrot:', count: 1 },
      ],
    })
    expect(texts).toEqual(
      expect.arrayContaining(['a reply to what is missing', '📎 [plan.pdf](https://x.slack.com/files/1)']),
    )
    const plan = messages.find(({ text }) => String(text).startsWith('The plan'))
    expect(plan).toMatchObject({
      type: 'file',
      text: 'The plan\n📎 [gone.pdf](https://x.slack.com/files/F2)',
      attachmentDetails: [{ name: 'plan.pdf', contentType: 'application/pdf', size: PDF.length }],
    })
    expect(
      texts
        .filter((text) => /^a?x+$/.test(text))
        .map(({ length }) => length)
        .sort(),
    ).toEqual([10_000, 501])
    expect(texts.find((text) => text.includes('Build 7'))).toContain('https://example.com/7')
    const pins = Object((await chatOf(ada).get(`topics/${releases.id}/pins`)).body)
    expect(JSON.stringify(pins)).toContain(String(first?.id))
    const thread = Object((await chatOf(ada).get(`topics/${releases.id}/history?threadId=${first?.id}`)).body)
    expect(JSON.stringify(thread)).toContain('On it')
    expect(texts, 'a reply stays in its thread').not.toContain('On it')
    expect((await bot.get('/v2/updates?offset=oldest')).body).toMatchObject({ updates: [] })

    const again = await imports.json('slack', path, orgId)
    expect(again).toMatchObject({
      people: { added: 0, nameless: 0 },
      topics: { added: 0, matched: 4 },
      messages: { added: 0, alreadyThere: 10 },
      reactions: 0,
      files: { added: 0, alreadyThere: 1 },
    })
  })

  it('brings people who can be invited, and read what was theirs alone', async () => {
    const [row] = await imports.server.parley.db.query<{
      id: string
      status: string
      name: string
      title: string
    }>(sql`
      select id, status, name, title from profiles where org_id = ${orgId} and email = 'ben@example.com'`)
    expect(row).toMatchObject({ status: 'Pending', name: 'Ben', title: 'Designer' })
    await imports.server.parley.db.query(
      sql`update profiles set status = 'Active' where org_id = ${orgId} and id = ${row?.id}`,
    )
    const ben = await signInToProfile(imports.server, { orgId, profileId: row?.id ?? '' })
    const topics = await topicsOf(ben)
    expect(topics.map(({ name }) => name).sort()).toEqual(['Ada', 'releases', 'secret'])
    expect(topics.every(({ unread = 0 }) => unread === 0)).toBe(true)
  })

  it('is found by search', async () => {
    await indexEverything(imports.server.parley.db)
    const { body } = await chatOf(ada).get('search?q=ship')
    expect(JSON.stringify(body)).toContain('Ship')
    expect(JSON.stringify((await chatOf(ada).get('search?q=nobody')).body)).not.toContain('Nobody')
  })

  it('is recorded in the audit log', async () => {
    const { entries } = Object((await ada.get(`/people/organizations/${orgId}/audit`)).body)
    expect(entries.map(({ action }: { action: string }) => action)).toContain('organization.imported')
  })
})

describe('an import', () => {
  it('of a bulk export of Mattermost has people, threads, mentions and reactions', async () => {
    const { orgId, ada } = await imports.emptyOrganization()
    const files = mattermostExport({ people: 3, channels: 2, messages: 40 })
    files['import.jsonl'] = String(files['import.jsonl'])
      .replace(/person0@example\.com/, 'ada@example.com')
      .replace('"emoji_name":"tada"', '"emoji_name":"quay"')
      .concat(
        '\n{"type": "post"',
        ...['parrot', 'Bad Name', 'broken', 'nowhere'].map(
          (name) => `\n${JSON.stringify({ type: 'emoji', emoji: { name, image: `emoji/${name}.png` } })}`,
        ),
      )
    Object.assign(files, { 'data/emoji/parrot.png': PNG, 'emoji/broken.png': 'no picture' })
    const path = await writeFolder(imports.place(), files)
    const program = imports.begin(['import', 'mattermost', path, '--org', orgId, '--json'])
    expect(jsonOf(await program.ended)).toMatchObject({
      people: { matched: 1, added: 2 },
      topics: { added: 2 },
      messages: { added: 40 },
      reactions: 3,
      emoji: { added: 1, alreadyThere: 0 },
      skipped: [
        { reason: 'lines that cannot be read', count: 1 },
        { reason: 'emoji whose names cannot be one here', places: [':Bad Name:'] },
        { reason: 'emoji whose pictures are not in the export', places: [':nowhere:', ':quay:'] },
        { reason: expect.stringMatching(/^emoji that are refused: /), places: [':broken:'] },
      ],
    })
    expect(Object((await chatOf(ada).get('emoji')).body).emoji).toMatchObject([{ name: 'parrot' }])
    const [topic] = await topicsOf(ada)
    const messages = await messagesIn(ada, topic?.id ?? '')
    expect(messages).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ text: expect.stringMatching(/^Post \*\*\d+\*\* for <@[0-9a-f-]{36}>$/) }),
      ]),
    )
    expect(await imports.json('mattermost', path, orgId)).toMatchObject({
      messages: { added: 0, alreadyThere: 40 },
      emoji: { added: 0, alreadyThere: 1 },
    })
  })

  it('of what is no export says so, and changes nothing', async () => {
    const { orgId, ada } = await imports.emptyOrganization()
    const wrong: [format: string, files: ExportFiles, says: RegExp][] = [
      ['slack', { 'notes.txt': 'x' }, /users\.json or channels\.json is missing/],
      ['slack', { 'users.json': '{', 'channels.json': '[]' }, /users\.json holds no list/],
      ['mattermost', { 'users.json': '[]' }, /no file that ends in \.jsonl/],
      ['mattermost', { 'import.jsonl': '{"type": "post", "post": {}}' }, /does not say its version/],
    ]
    for (const [format, files, says] of wrong) {
      const { code, stderr } = await imports.run([
        'import',
        format,
        await writeFolder(imports.place(), files),
        '--org',
        orgId,
      ])
      expect(stderr).toMatch(says)
      expect(code).toBe(1)
    }
    expect((await imports.run(['import', 'slack', '/nowhere.zip', '--org', orgId])).stderr).toContain(
      'There is no file /nowhere.zip.',
    )
    expect((await imports.run(['import', 'slack', '--org', orgId])).stderr).toContain('Missing: EXPORT.')
    expect(await topicsOf(ada)).toEqual([])
  })

  it('that broke off goes on where it was', async () => {
    const { orgId, ada } = await imports.emptyOrganization()
    const whole = slackExport({ people: 5, channels: 2, messages: 3000 })
    const half = Object.fromEntries(Object.entries(whole).slice(0, 4))
    await imports.json('slack', await writeFolder(imports.place(), half), orgId)
    const [before] = await topicsOf(await personOf(orgId, 'person0@example.com'))
    const report = await imports.json('slack', await writeFolder(imports.place(), whole), orgId)
    const { messages } = Object(report)
    expect(messages.added + messages.alreadyThere).toBe(3000)
    expect(messages.alreadyThere).toBeGreaterThan(0)
    const [counts] = await imports.server.parley.db.query<{
      messages: number
      counted: number
      replies: number
    }>(sql`
      select count(*) as messages, sum(reply_count)::integer as counted, count(parent_id) as replies
      from messages where org_id = ${orgId}`)
    expect(counts).toMatchObject({ messages: 3000 })
    expect(counts?.counted).toBe(counts?.replies)
    expect(before?.id).toBeDefined()
    expect(await topicsOf(ada)).toEqual([]) // people who are not in the export are in none of its topics
  })
})

async function personOf(orgId: string, email: string): Promise<TestPerson> {
  const [row] = await imports.server.parley.db.query<{ id: string }>(sql`
    update profiles set status = 'Active' where org_id = ${orgId} and email = ${email} returning id`)
  return signInToProfile(imports.server, { orgId, profileId: row?.id ?? '' })
}

describe('guests of another product', () => {
  const people = [
    { key: 'U1', name: 'Ada', marks: {} },
    { key: 'U2', name: 'Member Mona', marks: { is_restricted: false, roles: 'system_user' } },
    { key: 'U3', name: 'Guest Gil', marks: { is_restricted: true, roles: 'system_guest' } },
    { key: 'U4', name: 'Guest Gwen', marks: { is_ultra_restricted: true, roles: 'system_guest team_x' } },
  ]
  const emailOf = (name: string): string => `${name.toLowerCase().replace(' ', '.')}@example.com`
  const slack: ExportFiles = {
    'users.json': people.map(({ key, name, marks }) => ({
      id: key,
      ...marks,
      profile: { real_name: name, email: emailOf(name) },
    })),
    'channels.json': [{ id: 'C1', name: 'all', members: people.map(({ key }) => key) }],
    'all/2024-01-01.json': people.map(({ key }, number) => ({
      type: 'message',
      user: key,
      ts: `170000000${number}.000100`,
      text: `Hello from ${key}`,
    })),
  }
  const line = (type: string, value: unknown): string => JSON.stringify({ type, [type]: value })
  const mattermost: ExportFiles = {
    'import.jsonl': [
      line('version', 1),
      line('channel', { team: 'acme', name: 'all', type: 'O' }),
      ...people.map(({ key, name, marks }) =>
        line('user', {
          ...marks,
          username: key.toLowerCase(),
          first_name: name,
          email: emailOf(name),
          teams: [{ name: 'acme', channels: [{ name: 'all' }] }],
        }),
      ),
      ...people.map(({ key }, number) =>
        line('post', {
          team: 'acme',
          channel: 'all',
          user: key.toLowerCase(),
          message: `Hello from ${key}`,
          create_at: 1_700_000_000_000 + number,
        }),
      ),
    ].join('\n'),
  }

  it.each([
    ['slack', slack],
    ['mattermost', mattermost],
  ])('of %s are guests here, and the report counts them', async (format, files) => {
    const { orgId, ada } = await imports.emptyOrganization()
    const path = await writeFolder(imports.place(), files)
    const report = await imports.json(format, path, orgId)
    expect(report).toMatchObject({
      people: { matched: 1, added: 3, guests: 2, nameless: 0 },
      messages: { added: 4 },
      skipped: [],
    })
    const profiles = await imports.server.parley.db.query<{ name: string; status: string; role: string }>(
      sql`select name, status, role from profiles where org_id = ${orgId} and kind = 'user' order by name`,
    )
    expect(profiles).toEqual([
      { name: 'Ada', status: 'Active', role: 'owner' },
      { name: 'Guest Gil', status: 'Pending', role: 'guest' },
      { name: 'Guest Gwen', status: 'Pending', role: 'guest' },
      { name: 'Member Mona', status: 'Pending', role: 'member' },
    ])
    const [topic] = await topicsOf(ada)
    expect(topic?.memberIds).toHaveLength(4)
    // A person who was made a member here stays one.
    await imports.server.parley.db.query(
      sql`update profiles set role = 'member' where org_id = ${orgId} and name = 'Guest Gil'`,
    )
    expect(await imports.json(format, path, orgId)).toMatchObject({
      people: { matched: 4, added: 0, guests: 0, nameless: 0 },
    })
  })
})
