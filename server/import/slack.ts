import { OperatorError } from '../errors.ts'
import { line, link } from '../incoming-webhooks/markdown.ts'
import { at, firstText, textAt } from '../incoming-webhooks/payload.ts'
import { renderSlack } from '../incoming-webhooks/slack.ts'
import { fromMrkdwn } from '../incoming-webhooks/slack-mrkdwn.ts'
import type { Archive } from './archive.ts'
import { reactionNamed, withEmoji } from './emoji.ts'
import {
  type ImportedFile,
  type ImportedMessage,
  type ImportedPerson,
  type ImportedTopic,
  type ImportSource,
  type Naming,
  NO_FILE,
  Skipped,
} from './source.ts'
import { groupBy, listAt, parseJson, textsAt } from './values.ts'

/** Replies that their channel showed as well. */
const BROADCAST = new Set(['reply_broadcast', 'thread_broadcast'])
/** Kinds of messages that people and bots wrote; the others report joins and changed settings. */
const WRITTEN = new Set(['', 'bot_message', 'file_comment', 'file_share', 'me_message', ...BROADCAST])
/** People who see one channel, some channels, or those that are shared with their own workspace. */
const GUEST_MARKS = ['is_ultra_restricted', 'is_restricted', 'is_stranger']
const LISTS = [
  ['channels.json', 'open'],
  ['groups.json', 'closed'],
  ['mpims.json', 'direct'],
  ['dms.json', 'direct'],
] as const

type Channel = {
  topic: ImportedTopic
  folder: string
  pins: Map<string, { personKey: string | undefined; at: number }>
}

/** A workspace's export: lists of people and channels, and a folder for each channel with a file for each day. */
export async function openSlack(archive: Archive): Promise<ImportSource> {
  const skipped = new Skipped()
  if (!archive.names.includes('users.json') || !archive.names.includes('channels.json'))
    throw new OperatorError('This is no export of Slack: users.json or channels.json is missing.')
  const people = (await readList(archive, 'users.json')).flatMap((user) => personOf(user, skipped))
  const channels: Channel[] = []
  for (const [name, kind] of LISTS) {
    if (!archive.names.includes(name)) continue
    for (const channel of await readList(archive, name)) channels.push(...channelOf(channel, kind, skipped))
  }
  const read = { bytes: 0, total: 0 }
  return {
    format: 'slack',
    people,
    topics: channels.map(({ topic }) => topic),
    emoji: [], // an export of Slack has no pictures of them
    skipped,
    messages: (naming) =>
      messagesOf(
        archive,
        channels,
        new Map(people.map((person) => [person.key, person])),
        naming,
        skipped,
        read,
      ),
    readShare: () => (read.total === 0 ? 0 : read.bytes / read.total),
    close: () => archive.close(),
  }
}

async function readList(archive: Archive, name: string): Promise<unknown[]> {
  const list = parseJson(await archive.read(name))
  if (!Array.isArray(list)) throw new OperatorError(`This is no export of Slack: ${name} holds no list.`)
  return list
}

function personOf(user: unknown, skipped: Skipped): ImportedPerson[] {
  const key = textAt(user, 'id')
  if (key === '') {
    skipped.add('people without an id')
    return []
  }
  return [
    {
      key,
      name: firstText(user, 'profile.real_name', 'real_name', 'profile.display_name', 'name') || key,
      email: textAt(user, 'profile.email') || undefined,
      title: textAt(user, 'profile.title'),
      isBot: at(user, 'is_bot') === true || key === 'USLACKBOT',
      isGone: at(user, 'deleted') === true,
      isGuest: GUEST_MARKS.some((mark) => at(user, mark) === true),
    },
  ]
}

function channelOf(channel: unknown, kind: ImportedTopic['kind'], skipped: Skipped): Channel[] {
  const [key, name] = [textAt(channel, 'id'), textAt(channel, 'name')]
  if (key === '') {
    skipped.add('channels without an id', name)
    return []
  }
  const pins = listAt(channel, 'pins').map((pin): [string, { personKey: string | undefined; at: number }] => [
    textAt(pin, 'id'),
    { personKey: textAt(pin, 'user') || undefined, at: Number(textAt(pin, 'created')) * 1000 },
  ])
  const about = [textAt(channel, 'topic.value'), textAt(channel, 'purpose.value')].filter(
    (text) => text !== '',
  )
  return [
    {
      topic: {
        key,
        name: name || key,
        description: about.map((text) => fromMrkdwn(withEmoji(text))).join('\n\n'),
        kind,
        memberKeys: textsAt(channel, 'members'),
        creatorKey: textAt(channel, 'creator') || undefined,
        createdAt: Number(textAt(channel, 'created')) * 1000 || 0,
        isArchived: at(channel, 'is_archived') === true,
      },
      // Direct messages have no name; their folder is named by their id.
      folder: name || key,
      pins: new Map(pins),
    },
  ]
}

async function* messagesOf(
  archive: Archive,
  channels: readonly Channel[],
  people: ReadonlyMap<string, ImportedPerson>,
  naming: Naming,
  skipped: Skipped,
  read: { bytes: number; total: number },
): AsyncIterable<ImportedMessage> {
  const days = groupBy(archive.names.filter((name) => /^[^/]+\/[^/]+\.json$/.test(name)).sort(), (name) =>
    name.slice(0, name.indexOf('/')),
  )
  const uploads = uploadsIn(archive)
  const sizes = new Map<string, number>()
  for (const { folder } of channels)
    for (const name of days.get(folder) ?? []) sizes.set(name, await archive.sizeOf(name))
  read.total = [...sizes.values()].reduce((sum, size) => sum + size, 0)
  for (const channel of channels) {
    for (const name of days.get(channel.folder) ?? []) {
      const list = parseJson(await archive.read(name))
      read.bytes += sizes.get(name) ?? 0
      if (!Array.isArray(list)) {
        skipped.add('files that cannot be read', name)
        continue
      }
      for (const [index, message] of list.entries()) {
        const made = messageOf(message, channel, people, naming)
        if (typeof made === 'string') skipped.add(made, `${name}, entry ${index + 1}`)
        else yield { ...made, files: listAt(message, 'files').map((file) => fileOf(archive, uploads, file)) }
      }
    }
  }
}

/** Slack's own exports hold no files, only where they are. Programs that fetch them put each in a folder with its id. */
const uploadsIn = (archive: Archive): Map<string, string> =>
  new Map(
    archive.names.flatMap((name): [string, string][] => {
      const [, id] = /^__uploads\/([^/]+)\/[^/]+$/.exec(name) ?? []
      return id === undefined ? [] : [[id, name]]
    }),
  )

function fileOf(archive: Archive, uploads: ReadonlyMap<string, string>, file: unknown): ImportedFile {
  const label = line(firstText(file, 'title', 'name')) || 'File'
  const found = uploads.get(textAt(file, 'id'))
  return {
    name: firstText(file, 'name', 'title'),
    line: `📎 ${link(label, firstText(file, 'permalink', 'url_private'))}`,
    content:
      found === undefined ? NO_FILE : { size: () => archive.sizeOf(found), open: () => archive.open(found) },
  }
}

/** Returns a message, or why there is none. */
function messageOf(
  message: unknown,
  { topic, pins }: Channel,
  people: ReadonlyMap<string, ImportedPerson>,
  naming: Naming,
): ImportedMessage | string {
  const key = textAt(message, 'ts')
  const [, seconds, micros = ''] = /^(\d{1,11})\.(\d{1,6})$/.exec(key) ?? []
  if (textAt(message, 'type') !== 'message' || seconds === undefined) return 'entries that are no messages'
  const subtype = textAt(message, 'subtype')
  if (subtype === 'tombstone') return 'messages that had been deleted'
  if (!WRITTEN.has(subtype)) return 'lines about joining, leaving and settings'
  const text = textOf(message, topic.key, naming)
  const fraction = Number(micros.padEnd(6, '0'))
  const thread = textAt(message, 'thread_ts')
  const editedAt = Number(textAt(message, 'edited.ts')) * 1000
  return {
    topicKey: topic.key,
    key,
    author: authorOf(message, people),
    at: Number(seconds) * 1000 + Math.floor(fraction / 1000),
    order: fraction % 1000,
    text,
    parentKey: thread === '' || thread === key ? undefined : thread,
    isAlsoInTopic: BROADCAST.has(subtype),
    editedAt: editedAt > 0 ? Math.floor(editedAt) : undefined,
    reactions: listAt(message, 'reactions').map((reaction) => ({
      emoji: reactionNamed(textAt(reaction, 'name')),
      personKeys: textsAt(reaction, 'users'),
    })),
    pinned: pins.get(key),
  }
}

/** An author who is not among the people is an integration, which has no more than a name. */
function authorOf(message: unknown, people: ReadonlyMap<string, ImportedPerson>): ImportedPerson {
  const user = textAt(message, 'user')
  const known = people.get(user)
  const called = firstText(message, 'username', 'bot_profile.name', 'user_profile.real_name')
  if (known) return known
  const isBot = textAt(message, 'bot_id') !== '' || textAt(message, 'subtype') === 'bot_message'
  const key = firstText(message, 'bot_id', 'user', 'username') || 'unknown'
  return { key, name: called || (isBot ? 'Integration' : 'Somebody'), isBot, isGone: true }
}

/** The text of people stands in `text`; that of bots in blocks and attachments. */
function textOf(message: unknown, topicKey: string, naming: Naming): string {
  const named = (written: string): string =>
    withEmoji(
      written.replace(/<@([A-Z0-9]+)(?:\|[^<>]*)?>/g, (_all, user: string) => {
        const id = naming.mention(topicKey, user)
        return id === undefined ? `<@${user}|${naming.nameOf(user)}>` : `<@${id}>`
      }),
    )
  const text = textAt(message, 'text')
  const isTyped = text !== '' && textAt(message, 'bot_id') === ''
  const body = isTyped
    ? { text: named(text) }
    : { text: named(text), blocks: at(message, 'blocks'), attachments: at(message, 'attachments') }
  const parts = [body].flatMap((shown) => {
    const isEmpty =
      shown.text === '' && listAt(shown, 'blocks').length + listAt(shown, 'attachments').length === 0
    const rendered = isEmpty ? undefined : renderSlack({ body: shown, header: () => '' })
    return rendered && 'text' in rendered ? [rendered.text] : []
  })
  return parts.join('\n')
}
