import { createInterface } from 'node:readline'
import { customEmojiName } from '../../contract/custom-emoji.ts'
import { OperatorError } from '../errors.ts'
import { cleanName } from '../files/form.ts'
import { sha256 } from '../ids.ts'
import { line, withoutMentions } from '../incoming-webhooks/markdown.ts'
import { at, firstText, textAt } from '../incoming-webhooks/payload.ts'
import type { Archive } from './archive.ts'
import { reactionNamed, withEmoji } from './emoji.ts'
import {
  type ImportedEmoji,
  type ImportedFile,
  type ImportedMessage,
  type ImportedPerson,
  type ImportedTopic,
  type ImportSource,
  type Naming,
  NO_FILE,
  NO_PICTURE,
  Skipped,
} from './source.ts'
import { groupBy, listAt, parseJson } from './values.ts'

const GUEST = 'system_guest'
const KINDS: Record<string, ImportedTopic['kind']> = { O: 'open', P: 'closed' }

/** A bulk export: one file of lines, each a JSON object with a type; people come before what they wrote. */
export async function openMattermost(archive: Archive): Promise<ImportSource> {
  const file = archive.names.find((name) => /^[^/]+\.jsonl$/.test(name))
  if (!file)
    throw new OperatorError('This is no bulk export of Mattermost: it holds no file that ends in .jsonl.')
  const skipped = new Skipped()
  const people = new Map<string, ImportedPerson>()
  const topics = new Map<string, Omit<ImportedTopic, 'memberKeys'> & { memberKeys: string[] }>()
  const emoji = new Map<string, ImportedEmoji>()
  let hasVersion = false
  const read = { line: 0, total: 0 }
  for await (const { number, type, value } of linesOf(archive, file, skipped)) {
    read.total = number
    if (type === 'version') hasVersion = true
    else if (type === 'emoji') {
      const found = emojiOf(archive, value, skipped)
      if (found) emoji.set(found.name, found)
    } else if (type === 'channel') {
      const topic = channelOf(value)
      if (textAt(value, 'name') === '') skipped.add('channels without a name')
      else topics.set(topic.key, topic)
    } else if (type === 'user' || type === 'bot') {
      const person = personOf(value, type === 'bot')
      if (person.key === '') {
        skipped.add('people without a name', person.name)
        continue
      }
      people.set(person.key, person)
      for (const key of channelKeysOf(value)) topics.get(key)?.memberKeys.push(person.key)
    } else if (type === 'direct_channel') {
      const members = namesAt(value, 'members')
      const key = directKey(members)
      topics.set(key, { ...direct(key), memberKeys: members })
    }
  }
  if (!hasVersion)
    throw new OperatorError(`This is no bulk export of Mattermost: ${file} does not say its version.`)
  return {
    format: 'mattermost',
    people: [...people.values()],
    topics: [...topics.values()],
    emoji: [...emoji.values()],
    skipped,
    messages: (naming) => messagesOf(archive, file, people, naming, read),
    readShare: () => read.line / Math.max(1, read.total),
    close: () => archive.close(),
  }
}

/** Yields each line's number, type and content. Lines that are not JSON are reported once, on the first pass. */
async function* linesOf(archive: Archive, file: string, skipped?: Skipped) {
  let number = 0
  for await (const text of createInterface({
    input: await archive.open(file),
    crlfDelay: Number.POSITIVE_INFINITY,
  })) {
    number += 1
    if (text.trim() === '') continue
    const entry = parseJson(text)
    const type = textAt(entry, 'type')
    const value = at(entry, type)
    if (type === '' || value === undefined)
      skipped?.add('lines that cannot be read', `${file}, line ${number}`)
    else yield { number, type, value }
  }
}

function emojiOf(archive: Archive, value: unknown, skipped: Skipped): ImportedEmoji | undefined {
  const [name, image] = [textAt(value, 'name'), textAt(value, 'image')]
  const file = nameOf(archive, image)
  if (customEmojiName(`:${name}:`) === undefined)
    skipped.add('emoji whose names cannot be one here', `:${name}:`)
  else if (file === undefined) skipped.add(NO_PICTURE, `:${name}:`)
  else return { name, open: () => archive.open(file) }
  return undefined
}

/** Paths are relative to the folder `data`, or to the file of lines. */
function nameOf(archive: Archive, path: string): string | undefined {
  const name = partsOf(path).join('/')
  return [`data/${name}`, name].find((known) => archive.has(known))
}

const partsOf = (path: string): string[] => path.split('/').filter((part) => part !== '' && part !== '.')

function fileOf(archive: Archive, file: unknown): ImportedFile {
  const path = textAt(file, 'path')
  const parts = partsOf(path)
  const name = cleanName(path) ?? 'File'
  const found = nameOf(archive, path)
  const reason = parts.includes('..') ? 'files whose paths lead out of the export' : NO_FILE
  return {
    name,
    line: `📎 ${line(name)}`,
    content:
      found === undefined ? reason : { size: () => archive.sizeOf(found), open: () => archive.open(found) },
  }
}

const channelKey = (team: string, channel: string): string => `${team}/${channel}`
const directKey = (members: readonly string[]): string => `@${[...members].sort().join(',')}`

function namesAt(value: unknown, path: string): string[] {
  return listAt(value, path).flatMap((entry) => {
    const name = typeof entry === 'string' ? entry : textAt(entry, 'username')
    return name === '' ? [] : [name]
  })
}

const channelKeysOf = (user: unknown): string[] =>
  listAt(user, 'teams').flatMap((team) =>
    listAt(team, 'channels').map((channel) => channelKey(textAt(team, 'name'), textAt(channel, 'name'))),
  )

function channelOf(channel: unknown) {
  const name = textAt(channel, 'name')
  const about = [textAt(channel, 'header'), textAt(channel, 'purpose')].filter((text) => text !== '')
  return {
    key: channelKey(textAt(channel, 'team'), name),
    name: textAt(channel, 'display_name') || name,
    description: about.map((text) => withoutMentions(withEmoji(text))).join('\n\n'),
    kind: KINDS[textAt(channel, 'type')] ?? ('closed' as const),
    memberKeys: [],
    createdAt: 0,
    isArchived: Number(textAt(channel, 'deleted_at')) > 0,
  }
}

const direct = (key: string) => ({
  key,
  name: '',
  description: '',
  kind: 'direct' as const,
  createdAt: 0,
  isArchived: false,
})

const rolesOf = (user: unknown): string[] => textAt(user, 'roles').split(/\s+/)

function personOf(user: unknown, isBot: boolean): ImportedPerson {
  const key = textAt(user, 'username')
  const full = [textAt(user, 'first_name'), textAt(user, 'last_name')].filter((name) => name !== '').join(' ')
  return {
    key,
    origin: `${key}, ${textAt(user, 'email')}`,
    name: full || firstText(user, 'nickname', 'display_name') || key,
    email: textAt(user, 'email') || undefined,
    title: textAt(user, 'position'),
    isBot,
    isGone: Number(textAt(user, 'delete_at')) > 0,
    isGuest: rolesOf(user).includes(GUEST),
  }
}

async function* messagesOf(
  archive: Archive,
  file: string,
  people: ReadonlyMap<string, ImportedPerson>,
  naming: Naming,
  read: { line: number },
): AsyncIterable<ImportedMessage> {
  for await (const { number, type, value } of linesOf(archive, file)) {
    read.line = number
    if (type !== 'post' && type !== 'direct_post') continue
    const topicKey =
      type === 'post'
        ? channelKey(textAt(value, 'team'), textAt(value, 'channel'))
        : directKey(namesAt(value, 'channel_members'))
    const root = messageOf(archive, value, topicKey, people, naming)
    yield root
    for (const reply of listAt(value, 'replies'))
      yield { ...messageOf(archive, reply, topicKey, people, naming), parentKey: root.key }
  }
}

/** Posts have no ids in an export: author, time and text identify them. */
function messageOf(
  archive: Archive,
  post: unknown,
  topicKey: string,
  people: ReadonlyMap<string, ImportedPerson>,
  naming: Naming,
): ImportedMessage {
  const user = textAt(post, 'user')
  const written = textAt(post, 'message')
  const createdAt = Number(textAt(post, 'create_at'))
  const text = withEmoji(withoutMentions(written)).replace(
    /(?<![\p{L}\p{N}_@.])@([a-z0-9][a-z0-9._-]*[a-z0-9])/giu,
    (all, name: string) => {
      const key = name.toLowerCase()
      const id = naming.mention(topicKey, key)
      if (id !== undefined) return `<@${id}>`
      return naming.isErased(key) ? `@${naming.nameOf(key)}` : all
    },
  )
  const reactions = groupBy(listAt(post, 'reactions'), (reaction) => textAt(reaction, 'emoji_name'))
  return {
    topicKey,
    key: `${createdAt}, ${user}, ${sha256(written).toString('base64url').slice(0, 11)}`,
    author: people.get(user) ?? {
      key: user || 'unknown',
      name: user || 'Somebody',
      isBot: false,
      isGone: true,
    },
    at: createdAt,
    order: 0,
    text,
    files: listAt(post, 'attachments').map((file) => fileOf(archive, file)),
    editedAt: Number(textAt(post, 'edit_at')) || undefined,
    reactions: [...reactions].map(([name, given]) => ({
      emoji: reactionNamed(name),
      personKeys: given.map((reaction) => textAt(reaction, 'user')),
    })),
    pinned: at(post, 'is_pinned') === true ? { personKey: user, at: createdAt } : undefined,
  }
}
