import { removeMessage } from '../../server/actions/messages/messages.ts'
import { eraseData } from '../../server/background/erasures.ts'
import { deleteOldMessages, LOOK_MS } from '../../server/background/message-retention.ts'
import { sql } from '../../server/db/sql.ts'
import { openArchive } from '../../server/import/archive.ts'
import { openFiles } from '../../server/import/files.ts'
import { type ImportReport, importInto } from '../../server/import/importer.ts'
import { openMattermost } from '../../server/import/mattermost.ts'
import { openSlack } from '../../server/import/slack.ts'
import type { Parley } from '../../server/parley.ts'
import { readMessage } from '../../server/queries/messages/messages.ts'
import { chatOf } from './chat.ts'
import type { ExportFiles } from './exports.ts'
import type { TestPerson } from './people.ts'
import { PDF, PNG } from './samples.ts'

export const FORMATS = ['slack', 'mattermost'] as const
export type Format = (typeof FORMATS)[number]

/** Names that nothing else says, so that any row that says one is found. The first is the owner here. */
export const PEOPLE = ['Ada', 'Quillon', 'Brontide', 'Vellichor', 'Tarnhelm']
export const CHANNELS = ['first', 'second']
export const MESSAGES = 24
export const DAY = 86_400_000

export const emailOf = (person: number): string => `${PEOPLE[person]?.toLowerCase()}@example.com`
export const wordOf = (message: number): string => `word${message}x`
const authorOf = (message: number): number => message % PEOPLE.length
const keyOf = (person: number): string => `U${person}`

type Said = {
  author: number
  at: number
  text: string
  reactedBy?: number
  hasFile?: boolean
  replyTo?: number
}

/** Messages two days apart, with mentions, replies, reactions and files. */
const saidBefore = (now: number): Said[] =>
  Array.from({ length: MESSAGES }, (_, number) => ({
    author: authorOf(number),
    at: Math.floor(now / 1000) * 1000 - (MESSAGES - number) * 2 * DAY,
    text: `${wordOf(number)} for @${(number + 1) % PEOPLE.length}`,
    ...(number % 3 === 0 && { reactedBy: (number + 2) % PEOPLE.length }),
    ...(number % 6 === 0 && { hasFile: true }),
    ...(number % 8 >= 4 && { replyTo: number - 4 }),
  }))

export type Written = { files: ExportFiles; said: Said[] }

export function exportOf(format: Format, now: number, more: readonly Said[] = []): Written {
  const said = [...saidBefore(now), ...more]
  return { said, files: format === 'slack' ? slackFiles(said) : mattermostFiles(said) }
}

const channelAt = (number: number): string => CHANNELS[number % CHANNELS.length] ?? ''

function slackFiles(said: readonly Said[]): ExportFiles {
  const tsOf = ({ at }: Said) => `${at / 1000}.000100`
  const messages = said.map((one, number) => {
    const root = one.replyTo === undefined ? undefined : said[one.replyTo]
    return {
      type: 'message',
      ts: tsOf(one),
      user: keyOf(one.author),
      text: one.text.replace(/@(\d)/, (_all, person) => `<@${keyOf(Number(person))}>`),
      ...(root && { thread_ts: tsOf(root) }),
      ...(one.reactedBy !== undefined && { reactions: [{ name: 'tada', users: [keyOf(one.reactedBy)] }] }),
      ...(one.hasFile && { files: [{ id: `F${number}`, name: `file-${number}.pdf` }] }),
    }
  })
  return {
    'users.json': PEOPLE.map((name, person) => ({
      id: keyOf(person),
      name,
      profile: { real_name: name, email: emailOf(person) },
    })),
    'channels.json': CHANNELS.map((name, number) => ({
      id: `C${number}`,
      name,
      members: PEOPLE.map((_, person) => keyOf(person)),
    })),
    ...Object.fromEntries(
      CHANNELS.map((name) => [
        `${name}/2026-01-01.json`,
        messages.filter((_, number) => channelAt(number) === name),
      ]),
    ),
    ...Object.fromEntries(
      said.flatMap(({ hasFile }, number) =>
        hasFile ? [[`__uploads/F${number}/file-${number}.pdf`, PDF]] : [],
      ),
    ),
  }
}

function mattermostFiles(said: readonly Said[]): ExportFiles {
  const nameOf = (person: number): string => `${PEOPLE[person]?.toLowerCase()}`
  const line = (type: string, value: unknown): string => JSON.stringify({ type, [type]: value })
  const postOf = (one: Said, number: number): object => ({
    user: nameOf(one.author),
    message: one.text.replace(/@(\d)/, (_all, person) => `@${nameOf(Number(person))}`),
    create_at: one.at,
    reactions: one.reactedBy === undefined ? [] : [{ user: nameOf(one.reactedBy), emoji_name: 'parrot' }],
    attachments: one.hasFile ? [{ path: `file-${number}.pdf` }] : [],
  })
  const repliesTo = (root: number) =>
    said.flatMap((one, number) => (one.replyTo === root ? [postOf(one, number)] : []))
  return {
    'import.jsonl': [
      line('version', 1),
      line('emoji', { name: 'parrot', image: 'parrot.png' }),
      ...CHANNELS.map((name) => line('channel', { team: 'acme', name, display_name: name, type: 'O' })),
      ...PEOPLE.map((name, person) =>
        line('user', {
          username: nameOf(person),
          email: emailOf(person),
          first_name: name,
          teams: [{ name: 'acme', channels: CHANNELS.map((channel) => ({ name: channel })) }],
        }),
      ),
      ...said.flatMap((one, number) =>
        one.replyTo === undefined
          ? [
              line('post', {
                team: 'acme',
                channel: channelAt(number),
                ...postOf(one, number),
                replies: repliesTo(number),
              }),
            ]
          : [],
      ),
    ].join('\n'),
    'parrot.png': PNG,
    ...Object.fromEntries(
      said.flatMap(({ hasFile }, number) => (hasFile ? [[`file-${number}.pdf`, PDF]] : [])),
    ),
  }
}

/** Imports a folder as the command does, in this process. */
export async function importFolder(
  { db, config }: Parley,
  orgId: string,
  format: Format,
  folder: string,
): Promise<ImportReport> {
  const archive = await openArchive(folder)
  const files = await openFiles({ config, db }, orgId)
  try {
    const source = await (format === 'slack' ? openSlack(archive) : openMattermost(archive))
    return await importInto(db, orgId, source, { isDryRun: false, maxFileBytes: config.maxFileBytes, files })
  } finally {
    await files.close()
    await archive.close()
  }
}

async function workOff(parley: Parley, work: (parley: Parley) => Promise<number>): Promise<void> {
  for (let rest = 0; rest !== LOOK_MS; ) rest = await work(parley)
}

/** Deletes the message with this word: Ada deletes her own by the API, a moderator deletes others. */
export async function deleteMessage(parley: Parley, ada: TestPerson, message: number): Promise<void> {
  const { orgId } = ada
  const [row] = await parley.db.query<{ id: string; senderId: string }>(sql`
    select id, sender_id as "senderId" from messages where org_id = ${orgId} and text like ${`%${wordOf(message)} %`}`)
  if (!row) return
  if (row.senderId === ada.profileId) {
    await chatOf(ada).delete(`messages/${row.id}`)
    return
  }
  const caller = { orgId, profileId: row.senderId }
  await parley.db.write(orgId, async (tx) => {
    const found = await readMessage(caller, tx, row.id)
    if (found) await removeMessage(tx, caller, found)
  })
}

/** Keeps messages for `days`, everywhere or in one topic, until older ones are gone, and forever from then on. */
export async function letTimePass(
  parley: Parley,
  orgId: string,
  days: number,
  topic?: string,
): Promise<void> {
  const set = (value: number | null) =>
    topic === undefined
      ? parley.db.query(sql`update organizations set keep_messages_days = ${value} where org_id = ${orgId}`)
      : parley.db.query(
          sql`update topics set keep_messages_days = ${value} where org_id = ${orgId} and name = ${topic}`,
        )
  await set(days)
  await workOff(parley, deleteOldMessages)
  await set(null)
}

/** Erases a person by the console, and works it off; tells whether it was allowed. */
export async function erase(
  parley: Parley,
  ada: TestPerson,
  person: number,
  withMessages: boolean,
): Promise<void> {
  const [row] = await parley.db.query<{ id: string }>(
    sql`select id from profiles where org_id = ${ada.orgId} and email = ${emailOf(person)}`,
  )
  if (!row) return
  await ada.post(`/people/organizations/${ada.orgId}/members/${row.id}/erasure`, { withMessages })
  await workOff(parley, eraseData)
}

/** The rows that an import could bring back or change. */
export async function stateOf({ db }: Parley, orgId: string): Promise<Record<string, unknown[]>> {
  return {
    profiles: await db.query(sql`
      select id, name, email, status, role, title, erased_at from profiles where org_id = ${orgId} order by id`),
    accounts: await db.query(sql`
      select a.email from accounts a join profiles p on p.account_id = a.id where p.org_id = ${orgId} order by 1`),
    topics: await db.query(
      sql`select id, name, open, archived_at from topics where org_id = ${orgId} order by id`,
    ),
    members: await db.query(
      sql`select topic_id, profile_id from topic_members where org_id = ${orgId} order by 1, 2`,
    ),
    messages: await db.query(sql`
      select id, text, sender_id, mentions, parent_id, reply_count, reactions, attachments from messages
      where org_id = ${orgId} order by id`),
    reactions: await db.query(
      sql`select message_id, profile_id, emoji from reactions where org_id = ${orgId} order by id`,
    ),
    pins: await db.query(sql`select message_id from pins where org_id = ${orgId} order by 1`),
    emoji: await db.query(sql`select name from custom_emoji where org_id = ${orgId} order by 1`),
    files: await db.query(
      sql`select id from stored_files where org_id = ${orgId} and sweep_at is null order by 1`,
    ),
  }
}
