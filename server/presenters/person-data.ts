import type { PersonRecord } from '../../contract/people/erasures.ts'
import type { PersonLine } from '../export/person.ts'
import type { Link } from '../files/links.ts'
import type { StoredAttachment } from '../queries/messages/messages.ts'
import { presentAttachment } from './attachments.ts'

/** A record of a person's data, with links to the files of a message. */
export function presentPersonLine({ kind, record }: PersonLine, link: Link): PersonRecord {
  if (kind !== 'messages') return { kind, record }
  const attachments = (record.attachments ?? []) as StoredAttachment[] // a column of messages
  return {
    kind,
    record,
    files: attachments.map((stored) => {
      const { name = '', contentType = '', size = 0, url } = presentAttachment(stored, link)
      return { name, contentType, size, url }
    }),
  }
}
