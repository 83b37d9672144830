import type { SearchSource } from '../../contract/search.ts'
import type { MessageRow } from '../queries/messages/messages.ts'
import type { TaskRow } from '../queries/work/tasks.ts'
import { MENTION } from '../text.ts'

/** A searchable text of a message, and its kind. */
export type SearchedText = { source: SearchSource; text: string }

export type SearchedMessage = Pick<
  MessageRow,
  'id' | 'topic_id' | 'sender_id' | 'type' | 'text' | 'mentions' | 'details' | 'attachments'
>
type SearchedTask = Pick<TaskRow, 'title' | 'description'>

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

/** Marks of a message for filters; see the migration. */
export function marksOf(message: SearchedMessage): string[] {
  const files = message.attachments ?? []
  const has = [
    ...(files.length > 0 ? ['file'] : []),
    ...files.flatMap(({ type }) => HAS_OF_FILE[type] ?? []),
    ...(LINK.test(message.text) || LINK.test(message.details?.forwarded?.text ?? '') ? ['link'] : []),
    ...(message.type === 'task' ? ['task'] : []),
    ...(message.type === 'poll' ? ['poll'] : []),
  ]
  return [
    `t:${message.topic_id}`,
    `f:${message.sender_id}`,
    ...message.mentions.map((id) => `m:${id}`),
    ...new Set(has.map((name) => `h:${name}`)),
  ]
}
