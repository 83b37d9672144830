import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { NAMELESS } from '../contract/members.ts'
import { sql } from '../server/db/sql.ts'
import type { ImportReport } from '../server/import/importer.ts'
import { chatOf } from './support/chat.ts'
import {
  CHANNELS,
  DAY,
  deleteMessage,
  emailOf,
  erase,
  exportOf,
  FORMATS,
  type Format,
  importFolder,
  letTimePass,
  MESSAGES,
  PEOPLE,
  stateOf,
  wordOf,
} from './support/deleted-imports.ts'
import { writeFolder } from './support/exports.ts'
import { type Imports, openImports } from './support/imports.ts'
import type { TestPerson } from './support/people.ts'
import { countOf } from './support/thorough.ts'

let imports: Imports

beforeAll(async () => {
  imports = await openImports()
})
afterAll(() => imports.close())

const parley = () => imports.server.parley
const organizationOf = ({ orgId }: TestPerson) => `/people/organizations/${orgId}`

const invite = async (ada: TestPerson, person: number, more: object = {}): Promise<number> =>
  (await ada.post(`${organizationOf(ada)}/members`, { email: emailOf(person), ...more })).status

/** An organization that has imported the whole export, and the export's folder. */
async function importedOnce(format: Format): Promise<{ ada: TestPerson; folder: string }> {
  const { ada } = await imports.emptyOrganization()
  const { files } = exportOf(format, parley().clock())
  const folder = await writeFolder(imports.place(), files)
  const report = await importFolder(parley(), ada.orgId, format, folder)
  expect(report.messages).toMatchObject({ added: MESSAGES, alreadyThere: 0 })
  return { ada, folder }
}

/** Something that happens between two imports. */
type Step =
  | { kind: 'delete'; message: number }
  | { kind: 'edit'; message: number }
  | { kind: 'erase'; person: number; withMessages: boolean }
  | { kind: 'invite'; person: number }
  | { kind: 'hold'; person: number }
  | { kind: 'retention'; days: number; topic: string | undefined }
  | { kind: 'emoji' }

const message = fc.integer({ min: 0, max: MESSAGES - 1 })
const person = fc.integer({ min: 1, max: PEOPLE.length - 1 })
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('delete' as const), message }),
  fc.record({ kind: fc.constant('delete' as const), message }),
  fc.record({ kind: fc.constant('edit' as const), message }),
  fc.record({ kind: fc.constant('erase' as const), person, withMessages: fc.boolean() }),
  fc.record({ kind: fc.constant('invite' as const), person }),
  fc.record({ kind: fc.constant('hold' as const), person }),
  fc.record({
    kind: fc.constant('retention' as const),
    days: fc.integer({ min: 4, max: 2 * MESSAGES }),
    topic: fc.constantFrom(undefined, ...CHANNELS),
  }),
  fc.record({ kind: fc.constant('emoji' as const) }),
)

async function take(ada: TestPerson, one: Step): Promise<void> {
  if (one.kind === 'delete') await deleteMessage(parley(), ada, one.message)
  else if (one.kind === 'erase') await erase(parley(), ada, one.person, one.withMessages)
  else if (one.kind === 'retention') await letTimePass(parley(), ada.orgId, one.days, one.topic)
  else if (one.kind === 'emoji') await chatOf(ada).delete('emoji/parrot')
  else if (one.kind === 'invite') await invite(ada, one.person)
  else if (one.kind === 'edit')
    await parley().db.query(sql`
      update messages set text = text || ' edited', is_edited = true
      where org_id = ${ada.orgId} and text like ${`%${wordOf(one.message)} %`}`)
  else {
    const [row] = await parley().db.query<{ id: string }>(
      sql`select id from profiles where org_id = ${ada.orgId} and email = ${emailOf(one.person)}`,
    )
    if (row) await ada.post(`${organizationOf(ada)}/holds`, { reason: 'a dispute', memberId: row.id })
  }
}

describe.each(FORMATS)('an export of %s that is imported again', (format) => {
  it('changes nothing, whatever was deleted, erased, edited or over its time since', {
    timeout: 240_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
        const { ada, folder } = await importedOnce(format)
        for (const one of steps) await take(ada, one)
        const before = await stateOf(parley(), ada.orgId)
        const report = await importFolder(parley(), ada.orgId, format, folder)
        expect(await stateOf(parley(), ada.orgId)).toEqual(before)
        const here = before.messages?.length ?? 0
        expect(report.messages).toEqual({ added: 0, alreadyThere: here, deleted: MESSAGES - here })
        expect(report.people).toMatchObject({ added: 0, nameless: 0 })
      }),
      { seed: 33, numRuns: countOf(2, 8), endOnFailure: true },
    )
  })

  it('leaves out people who were erased, also what they wrote later and where others mention them', async () => {
    const { ada } = await importedOnce(format)
    await erase(parley(), ada, 1, true)
    await deleteMessage(parley(), ada, 0)
    expect(await invite(ada, 1, { name: 'Somebody New' })).toBe(201)
    const now = parley().clock()
    const later = exportOf(format, now, [
      { author: 1, at: Math.floor(now / 1000) * 1000 - DAY, text: 'words of the erased' },
      { author: 2, at: Math.floor(now / 1000) * 1000 - DAY + 1000, text: 'greets @1', reactedBy: 1 },
      { author: 2, at: Math.floor(now / 1000) * 1000 - DAY + 2000, text: 'answers what is gone', replyTo: 0 },
    ])
    const folder = await writeFolder(imports.place(), later.files)
    const report = await importFolder(parley(), ada.orgId, format, folder)
    expect(report.people).toMatchObject({ added: 0, erased: 1 })
    const { messages = [], reactions = [] } = await stateOf(parley(), ada.orgId)
    const shown = JSON.stringify(messages)
    expect(shown).toContain(`greets @${NAMELESS}`)
    expect(shown).toContain('answers what is gone')
    expect(shown).not.toContain('words of the erased')
    expect(shown).not.toMatch(/quillon/i)
    const [somebody] = await parley().db.query<{ id: string; name: string }>(
      sql`select id, name from profiles where org_id = ${ada.orgId} and email = ${emailOf(1)}`,
    )
    expect(somebody?.name).toBe('Somebody New')
    expect(JSON.stringify([messages, reactions])).not.toContain(somebody?.id)
  })
})

describe('an import', () => {
  it('knows people again by their names there, where their address is another one by now', async () => {
    const { ada, folder } = await importedOnce('slack')
    const { db } = parley()
    await db.query(sql`
      update profiles set email = 'other@example.com', email_key = 'other@example.com'
      where org_id = ${ada.orgId} and email = ${emailOf(1)}`)
    const again = await importFolder(parley(), ada.orgId, 'slack', folder)
    expect(again.people).toEqual({ matched: PEOPLE.length, added: 0, guests: 0, nameless: 0, erased: 0 })
    const [row] = await db.query<{ id: string }>(
      sql`select id from profiles where org_id = ${ada.orgId} and email = 'other@example.com'`,
    )
    await ada.post(`${organizationOf(ada)}/members/${row?.id}/erasure`, { withMessages: false })
    const report = await importFolder(parley(), ada.orgId, 'slack', folder)
    expect(report.people).toEqual({ matched: PEOPLE.length - 1, added: 0, guests: 0, nameless: 0, erased: 1 })
  })

  it('brings nothing that is older than messages get here, a hold or not', async () => {
    const { ada } = await imports.emptyOrganization()
    await parley().db.query(sql`update organizations set keep_messages_days = 11 where org_id = ${ada.orgId}`)
    await ada.post(`${organizationOf(ada)}/holds`, { reason: 'a dispute' })
    const { files } = exportOf('slack', parley().clock())
    const folder = await writeFolder(imports.place(), files)
    const report = await importFolder(parley(), ada.orgId, 'slack', folder)
    expect(report.messages).toEqual({ added: 5, alreadyThere: 0, deleted: 0 })
    expect(report.skipped).toEqual([
      {
        reason: 'messages from before the time that messages are kept here',
        count: MESSAGES - 5,
        places: [],
      },
    ])
  })

  it('tells what stays deleted, also before anything is written', async () => {
    const { ada, folder } = await importedOnce('mattermost')
    for (const number of [1, 2, 3]) await deleteMessage(parley(), ada, number)
    await erase(parley(), ada, 4, false)
    await chatOf(ada).delete('emoji/parrot')
    for (const more of [['--dry-run'], []]) {
      const { stdout } = await imports.run(['import', 'mattermost', folder, '--org', ada.orgId, ...more])
      expect(stdout).toMatch(/Messages +0 \S.* 21 are here already, 3 were deleted here and stay so/)
      expect(stdout).toMatch(
        /People +0 \S.* 4 are here already, 0 only as a name, 1 were deleted here and stay so/,
      )
      expect(stdout).toMatch(/Emoji +0 \S.* 1 were deleted here and stay so/)
    }
    const marks: ImportReport['messages'] = Object(
      await imports.json('mattermost', folder, ada.orgId, '--dry-run'),
    ).messages
    expect(marks).toEqual({ added: 0, alreadyThere: 21, deleted: 3 })
  })

  it('keeps no address and no name of what was deleted, only hashes by a key', async () => {
    const { ada } = await importedOnce('slack')
    await erase(parley(), ada, 1, true)
    const rows = await parley().db.query<{ row: string }>(
      sql`select to_jsonb(m)::text as row from import_marks m where org_id = ${ada.orgId}`,
    )
    expect(rows.length).toBeGreaterThan(PEOPLE.length)
    for (const { row } of rows) expect(row).not.toMatch(/quillon|example\.com|"U1"/i)
    const [key] = await parley().db.query<{ key: Buffer }>(sql`select key from mark_keys`)
    expect(key?.key.includes(parley().db.markKey ?? '')).toBe(false)
  })
})
