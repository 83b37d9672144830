import type { Message } from '../../../../../../contract/message.ts'
import { excerptOf } from '../markdown/excerpt.ts'

/** A message in a few words: what it says, or what it shows. */
export const summaryOf = (message: Message, nameOf: (profileId: string) => string): string =>
  excerptOf(message.text || message.forwarded?.text || '', nameOf) ||
  message.attachmentDetails?.[0]?.name ||
  message.poll?.title ||
  message.task?.title ||
  message.location?.name ||
  message.contact?.name ||
  ''
