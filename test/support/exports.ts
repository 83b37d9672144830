import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { crc32 } from 'node:zlib'

/** The files of an export by name, as objects that are written as JSON, as texts, or as bytes. */
export type ExportFiles = Record<string, unknown>

const contentOf = (value: unknown): Buffer =>
  Buffer.isBuffer(value) ? value : Buffer.from(typeof value === 'string' ? value : JSON.stringify(value))

export async function writeFolder(folder: string, files: ExportFiles): Promise<string> {
  for (const [name, value] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), contentOf(value))
  }
  return folder
}

/** A ZIP file whose entries are stored as they are. */
export async function writeZip(path: string, files: ExportFiles): Promise<string> {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [name, value] of Object.entries(files)) {
    const [title, content] = [Buffer.from(name), contentOf(value)]
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0) // version that is needed
    common.writeUInt16LE(0x800, 2) // names are UTF-8
    common.writeUInt32LE(crc32(content), 10)
    common.writeUInt32LE(content.length, 14)
    common.writeUInt32LE(content.length, 18)
    common.writeUInt16LE(title.length, 22)
    const entry = Buffer.concat([Buffer.from('PK\x03\x04'), common, title, content])
    const place = Buffer.alloc(14)
    place.writeUInt32LE(offset, 10)
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\0'), common, place, title]))
    parts.push(entry)
    offset += entry.length
  }
  const index = Buffer.concat(directory)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(directory.length, 4)
  end.writeUInt16LE(directory.length, 6)
  end.writeUInt32LE(index.length, 8)
  end.writeUInt32LE(offset, 12)
  await writeFile(path, Buffer.concat([...parts, index, Buffer.from('PK\x05\x06'), end]))
  return path
}

const START = Date.UTC(2024, 0, 1) / 1000
const slackTime = (number: number): string =>
  `${START + number * 60}.${String(100 + (number % 800)).padStart(6, '0')}`
const dayOf = (ts: string): string => new Date(Number(ts) * 1000).toISOString().slice(0, 10)

/** An exported Slack workspace with this many people and channels, and messages with threads, reactions and pins. */
export function slackExport({
  people,
  channels,
  messages,
}: {
  people: number
  channels: number
  messages: number
}): ExportFiles {
  const users = Array.from({ length: people }, (_, number) => ({
    id: `U${String(number).padStart(8, '0')}`,
    name: `person${number}`,
    deleted: false,
    is_bot: false,
    profile: { real_name: `Person ${number}`, email: `person${number}@example.com`, title: 'Engineer' },
  }))
  const userAt = (number: number): string => users[number % people]?.id ?? ''
  const list = Array.from({ length: channels }, (_, number) => ({
    id: `C${number}`,
    name: `channel-${number}`,
    created: START,
    creator: userAt(number),
    is_archived: false,
    members: users.map(({ id }) => id),
    topic: { value: 'What we do' },
    purpose: { value: '' },
    pins: [{ id: slackTime(number), type: 'C', user: userAt(number), created: START }],
  }))
  const days: Record<string, object[]> = {}
  for (let number = 0; number < messages; number++) {
    const ts = slackTime(number)
    const first = number - (number % (channels * 5)) + (number % channels) // of every five in a channel, four reply to the first
    const file = `channel-${number % channels}/${dayOf(ts)}.json`
    days[file] ??= []
    days[file].push({
      type: 'message',
      ts,
      user: userAt(number),
      text: `Message *${number}* for <@${userAt(number + 1)}> :tada:`,
      ...(number % 10 < 8 && first < number && { thread_ts: slackTime(first) }),
      ...(number % 7 === 0 && {
        reactions: [{ name: '+1', users: [userAt(number), userAt(number + 2)], count: 2 }],
      }),
    })
  }
  return { 'users.json': users, 'channels.json': list, ...days }
}

/** The path of a post's file in a bulk export of Mattermost; it lies below `data`. */
export const mattermostPath = (name: string): string =>
  `20240101/teams/noteam/channels/${'c'.repeat(26)}/users/${'u'.repeat(26)}/${'f'.repeat(26)}/${name}`

/** A bulk export of Mattermost: one file of lines. */
export function mattermostExport({
  people,
  channels,
  messages,
}: {
  people: number
  channels: number
  messages: number
}): ExportFiles {
  const names = Array.from({ length: people }, (_, number) => `person${number}`)
  const channelNames = Array.from({ length: channels }, (_, number) => `channel-${number}`)
  const line = (type: string, value: unknown): string => JSON.stringify({ type, [type]: value })
  const lines = [
    line('version', 1),
    line('team', { name: 'acme', display_name: 'Acme', type: 'O' }),
    ...channelNames.map((name) =>
      line('channel', { team: 'acme', name, display_name: `Channel ${name}`, type: 'O', header: '' }),
    ),
    ...names.map((username, number) =>
      line('user', {
        username,
        email: `${username}@example.com`,
        first_name: 'Person',
        last_name: String(number),
        teams: [{ name: 'acme', channels: channelNames.map((name) => ({ name })) }],
      }),
    ),
    ...Array.from({ length: Math.ceil(messages / 2) }, (_, number) =>
      line('post', {
        team: 'acme',
        channel: channelNames[number % channels],
        user: names[number % people],
        message: `Post **${number}** for @${names[(number + 1) % people]}`,
        create_at: (START + number * 60) * 1000,
        reactions: number % 7 === 0 ? [{ user: names[0], create_at: START * 1000, emoji_name: 'tada' }] : [],
        replies: [
          {
            user: names[(number + 1) % people],
            message: 'A reply',
            create_at: (START + number * 60 + 1) * 1000,
          },
        ],
      }),
    ),
  ]
  return { 'import.jsonl': lines.join('\n') }
}
