import type { EventData } from '../../contract/events.ts'
import type { Attachment, LinkPreview } from '../../contract/message.ts'
import { MEMBER_UPDATED, type PeopleEvents } from '../../contract/people/stream.ts'
import { type Caller, isGuest } from '../caller.ts'
import { type Link, PLACEHOLDER } from '../files/links.ts'
import type { MessageDetails } from '../queries/messages/messages.ts'
import { mentionsIn } from '../text.ts'
import { attachmentTargets, previewTarget } from './attachments.ts'

/** An event of the log; `data` is JSON. */
type Logged = { type: string; data: string }

/** Events that can carry files. */
const WITH_FILES: readonly string[] = ['message.created', 'message.updated', 'message.previewed']

/** An event as people and their assistants get it: the text before an edit is for bots alone, people get whom it mentioned. */
export function forPeople<Event extends Logged>(event: Event): Event {
  if (event.type !== 'message.updated' || !event.data.includes('"previousText":')) return event
  const { message, ...told }: EventData['message.updated'] = JSON.parse(event.data)
  const { previousText = '', ...shown } = message
  const previousMentions = mentionsIn(previousText)
  return { ...event, data: JSON.stringify({ message: { ...shown, previousMentions }, ...told }) }
}

const THREAD_ONLY = ',"threadOnly":'
const MENTIONED_PEOPLE = ',"mentionedPeople":['

/** Adds what an event says of its message to pages alone: who is mentioned by groups, and whether its topic shows it. */
export function marked<Data extends object>(
  data: Data,
  {
    details,
    thread_only,
  }: { details?: MessageDetails | null | undefined; thread_only?: boolean | undefined },
): Data {
  const people = details?.groupMentions?.people
  const told = people ? { ...data, mentionedPeople: people } : data
  return thread_only ? inThread(told) : told
}

/**
 * Marks an event of a reply that its topic does not show; of deleted replies, `replies` has those, each with the message at the head of
 * its thread. The mark is for pages alone. It stands last in the payload, where nothing that was written can look like it, and is cut
 * off without parsing.
 */
export function inThread<Data extends object>(data: Data, replies?: readonly DeletedReply[]): Data {
  const hidden = replies?.flatMap(({ id, parent_id, thread_only }) => (thread_only ? [[id, parent_id]] : []))
  if (hidden?.length === 0) return data
  return { ...data, threadOnly: hidden ? Object.fromEntries(hidden) : true }
}

type DeletedReply = { id: string; parent_id: string | null; thread_only: boolean }

const withoutMarks = (data: string): string => withoutPeople(withoutThread(data))

function withoutThread(data: string): string {
  const place = data.lastIndexOf(THREAD_ONLY)
  if (place < 0 || !/^(?:true|\{[^{}]*\})\}$/.test(data.slice(place + THREAD_ONLY.length))) return data
  return `${data.slice(0, place)}}`
}

function withoutPeople(data: string): string {
  if (!data.endsWith(']}')) return data
  const place = data.lastIndexOf(MENTIONED_PEOPLE)
  if (place < 0 || !/^[^\][{}]*\]\}$/.test(data.slice(place + MENTIONED_PEOPLE.length))) return data
  return `${data.slice(0, place)}}`
}

/** The payload of an event as bots and assistants get it, with links for its reader. */
export function withLinks({ type, data }: Logged, link: Link): string {
  const event = { type, data: withoutMarks(data) }
  return event.data.includes(PLACEHOLDER) ? (linkWriter(event)?.(link) ?? event.data) : event.data
}

type Reader = Pick<Caller, 'role' | 'profileId'>

/** A change of a member as a guest gets it: without an address, unless it is their own. */
function forGuest<Event extends Logged>(event: Event, { profileId }: Reader): Event {
  if (event.type !== MEMBER_UPDATED) return event
  const { member }: PeopleEvents['member.updated'] = JSON.parse(event.data)
  if (member.id === profileId) return event
  return { ...event, data: JSON.stringify({ member: { ...member, email: '' } }) }
}

/** The payload of an event as pages get it. */
export function withPageLinks(logged: Logged, link: Link, reader: Reader): string {
  const event = forPeople(isGuest(reader) ? forGuest(logged, reader) : logged)
  return linkWriter(event)?.(link) ?? event.data
}

/**
 * Writes the payload of an event for several readers, and parses it once. Undefined if it has no links. Links are made
 * only from ids of attachments and preview pictures, at their places in events. Texts, names, arguments and values are
 * user input and stay unchanged, even if they look like placeholders. Looking for placeholders first only saves parsing
 * events without files.
 */
export function linkWriter({ type, data }: Logged): ((link: Link) => string) | undefined {
  if (!data.includes(PLACEHOLDER) || !WITH_FILES.includes(type)) return undefined
  if (type === 'message.previewed') {
    const told: PeopleEvents['message.previewed'] = JSON.parse(data)
    return (link) => JSON.stringify({ ...told, preview: told.preview && withPicture(told.preview, link) })
  }
  const told: EventData['message.created'] = JSON.parse(data)
  const { attachments, preview } = told.message
  return (link) => {
    const message = {
      ...told.message,
      ...(preview && { preview: withPicture(preview, link) }),
      attachments: attachments.map((attachment) => withFile(attachment, link)),
    }
    return JSON.stringify({ ...told, message })
  }
}

function withFile(attachment: Attachment, link: Link): Attachment {
  const { file, thumbnail } = attachmentTargets(attachment)
  return {
    ...attachment,
    url: link(file),
    ...(attachment.thumbnailUrl !== undefined && { thumbnailUrl: link(thumbnail) }),
  }
}

const withPicture = (preview: LinkPreview, link: Link): LinkPreview => ({
  ...preview,
  ...(preview.imageId !== undefined && { thumbnailUrl: link(previewTarget(preview.imageId)) }),
})
