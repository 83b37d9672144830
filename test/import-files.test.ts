import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../server/db/sql.ts'
import { openFiles } from '../server/import/files.ts'
import { eventually } from './support/eventually.ts'
import {
  type ExportFiles,
  mattermostExport,
  mattermostPath,
  writeFolder,
  writeZip,
} from './support/exports.ts'
import { type Imports, messagesIn, openImports, topicsOf } from './support/imports.ts'
import type { TestPerson } from './support/people.ts'
import { PDF, PNG } from './support/samples.ts'
import { itAtNight } from './support/thorough.ts'

let imports: Imports

beforeAll(async () => {
  imports = await openImports()
})
afterAll(() => imports.close())

describe('files of a bulk export of Mattermost', () => {
  const TIME = Date.UTC(2024, 5, 1)
  const big = Buffer.alloc(700_000, 'x')
  /** A post with files at these paths, and its replies. */
  const post = (number: number, message: string, paths: readonly string[], replies: unknown[] = []) => ({
    team: 'acme',
    channel: 'channel-0',
    user: 'person0',
    message,
    create_at: TIME + number,
    attachments: paths.map((path) => ({ path })),
    replies,
  })
  const exportOf = (posts: object[], files: ExportFiles): ExportFiles => ({
    'import.jsonl': [
      String(mattermostExport({ people: 2, channels: 1, messages: 0 })['import.jsonl']).replace(
        'person0@example.com',
        'ada@example.com',
      ),
      JSON.stringify({ type: 'direct_channel', direct_channel: { members: ['person0', 'person1'] } }),
      ...posts.map((one) => {
        const type = 'channel_members' in one ? 'direct_post' : 'post'
        return JSON.stringify({ type, [type]: one })
      }),
    ].join('\n'),
    ...files,
  })
  const storedOf = (orgId: string) =>
    imports.server.parley.db.query<{ id: string; kept: boolean }>(
      sql`select id, sweep_at is null as kept from stored_files where org_id = ${orgId} order by id`,
    )
  async function shownTo(ada: TestPerson) {
    const topics = await topicsOf(ada)
    const messages = (await Promise.all(topics.map(({ id }) => messagesIn(ada, id)))).flat()
    return messages.map(({ type, text, attachmentDetails, replyCount }) => ({
      type,
      text,
      replyCount,
      attachments: (attachmentDetails ?? []) as Record<string, unknown>[],
    }))
  }

  it('come along as if they had been sent here, once', async () => {
    const { orgId, ada } = await imports.emptyOrganization()
    const [picture, plan, voice] = ['sun.png', 'plan.pdf', 'no\u202Ete.txt'].map(mattermostPath) as [
      string,
      string,
      string,
    ]
    const many = Array.from({ length: 42 }, (_, number) => mattermostPath(`${number}.txt`))
    const path = await writeZip(
      `${imports.place()}.zip`,
      exportOf(
        [
          post(1, 'Look', [picture], [{ ...post(2, '', [plan]), replies: undefined }]),
          { ...post(3, 'For you', ['beside.txt']), channel_members: ['person0', 'person1'] },
          post(4, '', [voice]),
          post(5, 'All of them', many),
        ],
        {
          [`data/${picture}`]: PNG,
          [`data/${plan}`]: PDF,
          [`data/${voice}`]: 'a note',
          'beside.txt': 'beside the lines',
          ...Object.fromEntries(many.map((one) => [`data/${one}`, `file ${one}`])),
        },
      ),
    )
    const counts = {
      messages: { added: 8, alreadyThere: 0 },
      files: { added: 44, alreadyThere: 0 },
      skipped: [{ reason: 'files that are more than a message can have', count: 2 }],
    }
    expect(await imports.json('mattermost', path, orgId, '--dry-run')).toMatchObject(counts)
    expect(await storedOf(orgId)).toEqual([])
    expect(await imports.json('mattermost', path, orgId)).toMatchObject(counts)
    const stored = await storedOf(orgId)
    expect(stored).toHaveLength(44)
    expect(stored.every(({ kept }) => kept)).toBe(true)

    const shown = await shownTo(ada)
    const [look] = shown.filter(({ text }) => text === 'Look')
    expect(look).toMatchObject({
      type: 'image',
      replyCount: 1,
      attachments: [{ name: 'sun.png', contentType: 'image/png', width: 12, height: 8 }],
    })
    const thumbnail = await fetch(String(look?.attachments[0]?.thumbnailUrl))
    expect(thumbnail.headers.get('content-type')).toBe('image/webp')
    expect(shown).toContainEqual(
      expect.objectContaining({ text: '', attachments: [expect.objectContaining({ name: 'note.txt' })] }),
    )
    const beside = shown.find(({ text }) => text === 'For you')?.attachments[0]
    expect(await (await fetch(String(beside?.url))).text()).toBe('beside the lines')
    const ofTen = shown.filter(({ attachments }) => attachments.length > 1)
    expect(ofTen).toHaveLength(4)
    expect(ofTen.map(({ text, attachments }) => [text, attachments.length])).toEqual(
      expect.arrayContaining([
        ['All of them\n📎 40.txt\n📎 41.txt', 10],
        ['', 10],
      ]),
    )
    expect(await imports.json('mattermost', path, orgId)).toMatchObject({
      messages: { added: 0, alreadyThere: 8 },
      files: { added: 0, alreadyThere: 44 },
      skipped: [{ reason: 'files of messages that are here already without them', count: 2 }],
    })
    expect(await storedOf(orgId)).toEqual(stored)
  })

  it('that cannot be imported are reported, and leave their names', async () => {
    const { orgId, ada } = await imports.emptyOrganization()
    await imports.server.parley.db.query(sql`
      insert into organization_storage (org_id, quota_mb) values (${orgId}, 1)
      on conflict (org_id) do update set quota_mb = 1`)
    const folder = imports.place()
    await writeFolder(folder, { 'secret.txt': 'not yours' })
    const path = await writeFolder(
      join(folder, 'export'),
      exportOf(
        [
          post(1, 'Gone', ['gone.pdf']),
          post(2, 'Out', ['../secret.txt', 'a/../../../secret.txt']),
          post(3, 'Large', ['large.bin']),
          post(4, 'Empty', ['empty.txt']),
          post(5, 'Broken', ['broken.png']),
          post(6, 'First', ['first.bin']),
          post(7, 'Second', ['second.bin', '*b*.txt']),
          post(7, 'Second', ['second.bin', '*b*.txt']), // the same once more
        ],
        {
          'data/large.bin': Buffer.alloc(1024 * 1024 + 1),
          'data/empty.txt': '',
          'data/broken.png': PNG.subarray(0, 60),
          'data/first.bin': big,
          'data/second.bin': big,
          'data/*b*.txt': 'small',
        },
      ),
    )
    expect(await imports.json('mattermost', path, orgId, '--dry-run'), 'foreseen').toMatchObject({
      skipped: expect.arrayContaining([
        { reason: 'files that are refused: storage quota exceeded', count: 2, places: expect.anything() },
      ]),
    })
    const report = await imports.json('mattermost', path, orgId)
    expect(report).toMatchObject({
      messages: { added: 7, alreadyThere: 1 },
      files: { added: 2 },
      skipped: [
        { reason: 'files that are not in the export', count: 1 },
        { reason: 'files whose paths lead out of the export', count: 2 },
        { reason: 'files that are refused: file too large', count: 1 },
        { reason: 'files that are refused: file is empty', count: 1 },
        { reason: 'files that are refused: Invalid image', count: 1 },
        { reason: 'files that are refused: storage quota exceeded', count: 2 },
      ],
    })
    const texts = (await shownTo(ada)).map(({ text }) => text)
    expect(texts).toEqual(
      expect.arrayContaining([
        'Gone\n📎 gone.pdf',
        'Out\n📎 secret.txt\n📎 secret.txt',
        'Large\n📎 large.bin',
        'Empty\n📎 empty.txt',
        'Broken\n📎 broken.png',
        'First',
        'Second\n📎 second.bin',
      ]),
    )
    // The store holds no file that nothing refers to, such as that of the same post once more.
    expect((await storedOf(orgId)).map(({ kept }) => kept)).toEqual([true, true])
    expect(await imports.json('mattermost', path, orgId)).toMatchObject({
      messages: { added: 0 },
      files: { added: 0 },
    })
  })

  it('of an import that broke off leave nothing, and come when it goes on', async () => {
    const { orgId, ada } = await imports.emptyOrganization()
    const path = await writeZip(
      `${imports.place()}.zip`,
      exportOf([post(1, 'One', ['one.txt', 'locked.txt'])], {
        'data/one.txt': 'one',
        'data/locked.txt': 'two',
      }),
    )
    await damage(path, 'data/locked.txt')
    const { db } = imports.server.parley
    await db.query(sql`alter table pins rename to pins_away`)
    expect((await imports.run(['import', 'mattermost', path, '--org', orgId])).code).toBe(1)
    expect(await storedOf(orgId)).toEqual([])
    await db.query(sql`alter table pins_away rename to pins`)

    const { config, files } = imports.server.parley
    const crashed = await openFiles({ config, db }, orgId)
    await crashed.storeFile({ name: 'one.txt', open: async () => Readable.from([Buffer.from('one')]) })
    await writeFile(join(files.incoming, 'draft'), 'on its way')
    await files.recover() // as a server does that starts during the import
    imports.server.clock.ahead = 2 * 3_600_000
    await files.sweep()
    const stored = await storedOf(orgId)
    const drafts = await readdir(files.incoming)
    await crashed.close()
    expect(stored, 'while it runs').toMatchObject([{ kept: false }])
    expect(drafts, 'while it runs').toContain('draft')
    await files.sweep()
    imports.server.clock.ahead = 0
    expect(await storedOf(orgId)).toEqual([])
    await files.recover()
    expect(await readdir(files.incoming)).toEqual([])

    expect(await imports.json('mattermost', path, orgId)).toMatchObject({
      files: { added: 1 },
      skipped: [{ reason: 'files that are refused: file cannot be read', count: 1 }],
    })
    expect(await shownTo(ada)).toMatchObject([
      { text: 'One\n📎 locked.txt', attachments: [{ name: 'one.txt', size: 3 }] },
    ])
  })

  itAtNight('come once with an import that was killed, and went on', async () => {
    const [disturbed, calm] = [await imports.emptyOrganization(), await imports.emptyOrganization()]
    const paths = Array.from({ length: 120 }, (_, number) => `${number}.txt`)
    const posts = Array.from({ length: 1200 }, (_, number) => ({
      ...post(number, `Post ${number}`, number % 10 === 0 ? [`${number / 10}.txt`] : []),
      reactions: [{ user: 'person1', create_at: TIME, emoji_name: 'tada' }],
      replies: number % 3 === 0 ? [{ user: 'person1', message: 'Yes', create_at: TIME + 5000 + number }] : [],
    }))
    const path = await writeZip(
      `${imports.place()}.zip`,
      exportOf(posts, Object.fromEntries(paths.map((name) => [`data/${name}`, `file ${name}`]))),
    )
    const { db } = imports.server.parley
    const written = async (orgId: string) =>
      (
        await db.query<{ text: string }>(sql`
        select jsonb_build_array(t.name, s.name, m.text, p.text, m.created_at, m.reply_count, m.reactions,
          (select count(*) from reactions r where r.org_id = ${orgId} and r.message_id = m.id),
          (select jsonb_agg(array[a ->> 'name', a ->> 'size']) from jsonb_array_elements(m.attachments) a))::text as text
        from messages m join topics t on t.org_id = m.org_id and t.id = m.topic_id
        join profiles s on s.org_id = m.org_id and s.id = m.sender_id
        left join messages p on p.org_id = m.org_id and p.id = m.parent_id
        where m.org_id = ${orgId} order by 1`)
      ).map(({ text }) => text)
    const before = await written(disturbed.orgId)
    const shownBefore = (await topicsOf(disturbed.ada)).length
    let reached = before.length
    for (const more of [1, 400]) {
      const { child, ended } = imports.begin(['import', 'mattermost', path, '--org', disturbed.orgId])
      await eventually(async () => (await written(disturbed.orgId)).length - reached).toBeGreaterThanOrEqual(
        more,
      )
      child.kill('SIGKILL')
      expect((await ended).code, 'killed on its way').toBe(null)
      reached = (await written(disturbed.orgId)).length
      expect(await topicsOf(disturbed.ada), 'no topic is shown half').toHaveLength(shownBefore)
    }
    const report = await imports.json('mattermost', path, disturbed.orgId)
    expect(Object(report.messages).added + Object(report.messages).alreadyThere).toBe(1600)
    await imports.json('mattermost', path, calm.orgId)
    const all = await written(calm.orgId)
    expect(all.length).toBe(before.length + 1600)
    expect(await written(disturbed.orgId)).toEqual(all)
    expect((await topicsOf(disturbed.ada)).map(({ name }) => name).sort()).toEqual(
      (await topicsOf(calm.ada)).map(({ name }) => name).sort(),
    )
    imports.server.clock.ahead = 2 * 3_600_000
    await imports.server.parley.files.sweep()
    imports.server.clock.ahead = 0
    for (const { orgId } of [disturbed, calm])
      expect((await storedOf(orgId)).filter(({ kept }) => kept)).toHaveLength(120)
    expect(await storedOf(disturbed.orgId), 'what the kill left is gone').toHaveLength(120)
  })
})

/** Gives an entry of a ZIP file's directory an unknown compression method. */
async function damage(path: string, name: string): Promise<void> {
  const zip = await readFile(path)
  zip.writeUInt16LE(99, zip.lastIndexOf(name) - 36)
  await writeFile(path, zip)
}
