import { Message } from '../../../contract/message.ts'
import { ChatMessage } from '../../../contract/people/chat-message.ts'
import type { Caller } from '../../caller.ts'
import type { Link } from '../../files/links.ts'
import { serializerOf } from '../../http/wire.ts'
import type { Parley } from '../../parley.ts'
import { presentChatMessage, presentMessage } from '../../presenters/messages.ts'
import { type MessageRow, namedIn, readNames, readReactionUsers } from '../../queries/messages/messages.ts'

const writeMessage = (message: Message): string => serializerOf(Message)(message)
const writeChatMessage = (message: ChatMessage): string => serializerOf(ChatMessage)(message)

/** Messages of a list as JSON; most come as JSON from the database, and stay unchanged. */
export async function writeMessages(
  { db, clock, links }: Pick<Parley, 'db' | 'clock' | 'links'>,
  caller: Caller,
  messages: readonly (string | MessageRow)[],
  {
    includeReactionUsers,
    forPages = false,
    link = links.for(caller),
  }: {
    includeReactionUsers: boolean
    /** Whether each message says if its topic shows it. */
    forPages?: boolean
    link?: Link
  },
): Promise<string[]> {
  const rows = messages.filter((message) => typeof message !== 'string')
  const names = await readNames(caller, db, rows.flatMap(namedIn))
  const reacted = rows.filter(({ reactions }) => reactions.length > 0).map(({ id }) => id)
  const users = includeReactionUsers ? await readReactionUsers(caller, db, reacted) : undefined
  const parts = { names, now: clock(), link, users }
  const write = (row: MessageRow) =>
    forPages ? writeChatMessage(presentChatMessage(row, parts)) : writeMessage(presentMessage(row, parts))
  return messages.map((message) => (typeof message === 'string' ? message : write(message)))
}
