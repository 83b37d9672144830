import type { SearchSource } from '../../contract/search.ts'
import { standardEmoji } from '../emoji-names.ts'
import type { MessageRow, StoredAttachment } from '../queries/messages/messages.ts'
import type { TaskRow } from '../queries/work/tasks.ts'
import { MENTION } from '../text.ts'
import { plainEmoji } from './words.ts'

/** A searchable text of a message, and its kind. */
export type SearchedText = { source: SearchSource; text: string }

export type SearchedMessage = Pick<
  MessageRow,
  'id' | 'topic_id' | 'sender_id' | 'type' | 'text' | 'mentions' | 'details' | 'attachments'
>
/** A message with what filters ask for. */
export type IndexedMessage = SearchedMessage &
  Pick<MessageRow, 'parent_id' | 'reply_count' | 'reactions'> & { is_pinned: boolean }
export type SearchedTask = Pick<TaskRow, 'title' | 'description'>

/** All searchable texts of a message. A task is searched by its current name, not by that of the time of writing. */
export function textsOf(message: SearchedMessage, task?: SearchedTask): SearchedText[] {
  const { poll, location, contact, forwarded } = message.details ?? {}
  const texts: SearchedText[] = [
    { source: 'text', text: message.text },
    { source: 'text', text: forwarded?.text ?? '' },
    { source: 'task', text: task ? lines([task.title, task.description]) : '' },
    {
      source: 'poll',
      text: poll ? lines([poll.title, poll.subtitle, ...poll.options.map(({ text }) => text)]) : '',
    },
    { source: 'location', text: location ? lines([location.name, location.address]) : '' },
    { source: 'contact', text: contact ? lines([contact.name, contact.role, ...contact.emails]) : '' },
    ...(message.attachments ?? []).flatMap(({ name = '', transcription }): SearchedText[] => [
      { source: 'file', text: name },
      { source: 'transcription', text: transcription?.text ?? '' },
    ]),
  ]
  return texts.filter(({ text }) => text !== '')
}

const lines = (texts: readonly (string | undefined)[]): string => texts.filter(Boolean).join('\n')

/** Removes mentions, whose ids are no search words; mentions are indexed as marks. */
export const withoutMentions = (text: string): string => text.replace(MENTION, ' ')

const LINK = /\bhttps?:\/\/\S/i
const HAS_OF_FILE = { image: 'image', video: 'video', audio: 'voice', file: undefined } as const

/** Terms of a message for filters; see the schema. */
export function marksOf(message: IndexedMessage): string[] {
  const files = message.attachments ?? []
  const has = [
    ...(files.length > 0 ? ['file'] : []),
    ...files.flatMap(({ type }) => HAS_OF_FILE[type] ?? []),
    ...(LINK.test(message.text) || LINK.test(message.details?.forwarded?.text ?? '') ? ['link'] : []),
    ...(message.type === 'task' ? ['task'] : []),
    ...(message.type === 'poll' ? ['poll'] : []),
    ...(message.reactions.length > 0 ? ['reaction'] : []),
    ...(message.is_pinned ? ['pin'] : []),
  ]
  return [
    `t:${message.topic_id}`,
    `f:${message.sender_id}`,
    ...message.mentions.map((id) => `m:${id}`),
    ...groupMarks(message),
    ...message.reactions.map(({ emoji }) => `r:${plainEmoji(emoji)}`),
    ...has.map((name) => `h:${name}`),
    ...(message.parent_id !== null || message.reply_count > 0 ? ['i:thread'] : []),
  ]
}

/** People whom a message mentions by groups; everyone in a topic has one mark. */
function groupMarks({ details }: IndexedMessage): string[] {
  const mentions = details?.groupMentions
  if (!mentions) return []
  return mentions.people?.map((id) => `m:${id}`) ?? ['m:everyone']
}

const EMOJI_NAME = /:([a-z0-9_+-]{1,32}):/g

/** Emoji that a text has by their names: standard ones as the emoji, others as they are written. */
export const namedEmoji = (text: string): string[] =>
  text.includes(':') ? Array.from(text.matchAll(EMOJI_NAME), ([, name = '']) => emojiTerm(name)) : []

/** The term of an emoji with this name. */
export function emojiTerm(name: string): string {
  const standard = standardEmoji(name)
  return standard === undefined ? `:${name}:` : plainEmoji(standard)
}

/** Larger files are not read: 50 MB. */
const MAX_READ_BYTES = 50 * 1024 * 1024
const TEXT_TYPES =
  /^(text\/|application\/(octet-stream|pdf|xml|json|rtf|vnd\.openxmlformats-officedocument\.wordprocessingml\.document)$)/

/** Whether the text inside a file is searched. Content that was not recognized may be text: its reader finds out. */
export const isReadable = ({ type, contentType, size }: StoredAttachment): boolean =>
  type === 'file' && size <= MAX_READ_BYTES && TEXT_TYPES.test(contentType)
