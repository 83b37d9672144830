import type { ContextMessage, TopicContext } from '../../contract/context.ts'
import { LIMITS } from '../../contract/limits.ts'
import type { Message } from '../../contract/message.ts'
import type { StoredAttachment } from '../queries/messages/messages.ts'
import { MENTION, withoutGroupSigns } from '../text.ts'
import { attachmentId } from './attachments.ts'

/** Parts of the whole that files may take: those of the message that is to be answered together, any other one alone. */
const ASKED_FILES_SHARE = 1 / 2
const OTHER_FILE_SHARE = 1 / 8
/** The part that the text of one message may take. */
const TEXT_SHARE = 1 / 2
/** Bytes of the answer besides topic, messages and people. */
const FRAME_BYTES = 150

export type ContextFile = { file: StoredAttachment; text: string | undefined; isPending: boolean }
export type Said = { message: Message; files: readonly ContextFile[] }
type Person = TopicContext['people'][number]

type Given = {
  topic: TopicContext['topic'] | undefined
  threadId: string | undefined
  /** Messages by importance; a list ends with the first one that no longer fits. */
  asked: Said | undefined
  lists: readonly (readonly Said[])[]
  hasMore: boolean
  tokens: number
}

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value)) + 1

/** Fits the message that is to be answered, its thread and the messages before them into a number of tokens. */
export function presentContext({ topic, threadId, asked, lists, hasMore, tokens }: Given): TopicContext {
  const whole = tokens * LIMITS.contextBytesPerToken
  const people = new Map<string, Person>()
  const messages = new Map<string, ContextMessage>()
  const shownTopic = topic && { ...topic, description: cut(topic.description, whole / 4).text }
  let left = whole - FRAME_BYTES - bytesOf(shownTopic ?? null)
  let isCut = hasMore

  /** Whether the message still fitted. The one that is to be answered always does, with less of its text. */
  function take({ message, files }: Said, shareOfFile: number): boolean {
    if (messages.has(message.id)) return true
    const [sender, ...mentioned] = peopleIn(message)
    const room = left - bytesOf(sender)
    const isAsked = message.id === asked?.message.id
    const mostText = isAsked
      ? Math.min(whole * TEXT_SHARE, room - bytesOf(withText(message, 0)))
      : whole * TEXT_SHARE
    const shown = withFiles(withText(message, mostText), files, room, shareOfFile)
    if (bytesOf(shown) > room && !isAsked) return false
    left -= bytesOf(shown)
    messages.set(message.id, shown)
    for (const person of [sender, ...mentioned]) {
      if (people.has(person.id) || (person !== sender && bytesOf(person) > left)) continue
      left -= bytesOf(person)
      people.set(person.id, person)
    }
    return true
  }

  if (asked) take(asked, (whole * ASKED_FILES_SHARE) / Math.max(asked.files.length, 1))
  for (const list of lists) {
    const fits = list.every((said) => take(said, whole * OTHER_FILE_SHARE))
    if (!fits) isCut = true
  }
  const context: TopicContext = {
    ...(shownTopic && { topic: shownTopic }),
    ...(threadId !== undefined && { threadId }),
    messages: [...messages.values()].sort((one, other) => (one.id < other.id ? -1 : 1)),
    people: [...people.values()],
    tokens: 0,
    hasMore: isCut,
  }
  return { ...context, tokens: Math.ceil(bytesOf(context) / LIMITS.contextBytesPerToken) + 1 }
}

/** The sender, and who is mentioned. */
const peopleIn = (message: Message): [Person, ...Person[]] => [
  { id: message.senderId, name: message.senderName, type: message.senderType },
  ...message.mentionDetails
    .filter(({ id }) => id !== message.senderId)
    .map(({ id, name }): Person => ({ id, name, type: id.startsWith('b@') ? 'bot' : 'user' })),
]

function withText(message: Message, mostBytes: number): ContextMessage {
  const { id, parentId, senderId, senderName, createdAt } = message
  return {
    id,
    ...(parentId !== undefined && { parentId }),
    senderId,
    senderName,
    createdAt,
    ...cut(wordsOf(message), mostBytes),
  }
}

/** The message with as much of its files as there is room for, and as their share allows. */
function withFiles(
  message: ContextMessage,
  files: readonly ContextFile[],
  room: number,
  shareOfFile: number,
): ContextMessage {
  if (files.length === 0) return message
  const bare = files.map(({ file: { id, name, contentType }, isPending }) => ({
    id: attachmentId(id),
    ...(name !== undefined && { name }),
    contentType,
    ...(isPending && { pending: true }),
  }))
  let left = room - bytesOf({ ...message, files: bare })
  const filled = bare.map((file, index) => {
    const text = files[index]?.text
    const most = Math.min(left, shareOfFile) - MARKS_BYTES
    if (text === undefined || text === '' || most <= 0) return file
    const shown = cut(text, most)
    left -= bytesOf(shown)
    return { ...file, ...shown }
  })
  return { ...message, files: filled }
}

/** Bytes of `"text":` and `"truncated":true` beside a text. */
const MARKS_BYTES = 40

/** The beginning of a text whose JSON has at most so many bytes. */
function cut(text: string, mostBytes: number): { text: string; truncated?: true } {
  if (bytesOf(text) <= mostBytes) return { text }
  let shown = text.slice(0, Math.max(0, Math.floor(mostBytes)))
  while (shown !== '' && bytesOf(shown) > mostBytes)
    shown = shown.slice(0, Math.floor((shown.length * Math.max(mostBytes, 1)) / (bytesOf(shown) + 1)))
  const isHalf = /[\ud800-\udbff]$/.test(shown)
  return { text: isHalf ? shown.slice(0, -1) : shown, truncated: true }
}

/** Writes a message in words: its text with names, and the content of other kinds. */
function wordsOf(message: Message): string {
  const { text, mentionDetails, forwarded, poll, task, location, contact, call } = message
  const names = new Map(mentionDetails.map(({ id, name }) => [id, name]))
  const said = withoutGroupSigns(
    text.replace(MENTION, (whole, id: string) => {
      const name = names.get(id.toLowerCase())
      return name === undefined ? whole : `@${name}`
    }),
  )
  return [
    said,
    forwarded && `Forwarded from ${forwarded.senderName}: ${forwarded.text}`,
    poll && [`Poll: ${poll.title}`, ...poll.options.map((option) => `- ${option.text}`)].join('\n'),
    task && [`Task (${task.status}): ${task.title}`, task.text].filter(Boolean).join('\n'),
    location &&
      ['Place:', location.name, location.address, `${location.latitude}, ${location.longitude}`]
        .filter(Boolean)
        .join(' '),
    contact && ['Contact:', contact.name, contact.role, ...contact.emails].filter(Boolean).join(' '),
    call && `Call (${call.callType}): ${call.status}`,
  ]
    .filter(Boolean)
    .join('\n')
}
