import { COMMAND_NAME, type Command } from '../../../contract/commands.ts'
import { MESSAGE_COMMAND } from '../../../contract/people/stream.ts'
import type { Caller } from '../../caller.ts'
import { sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/transaction.ts'
import { refusal } from '../../errors.ts'
import { emitToBot } from '../../events/log.ts'
import { listCommands, listTopicCommands } from '../../queries/bots/commands.ts'
import { readNames } from '../../queries/messages/messages.ts'
import type { TextMessage } from '../messages/message-drafts.ts'
import { sendText } from '../messages/messages.ts'

type NewCommand = Omit<Command, 'arguments'> & Partial<Pick<Command, 'arguments'>>

/** Replaces the bot's commands. */
export async function setCommands(
  tx: Transaction,
  caller: Caller,
  commands: readonly NewCommand[],
): Promise<Command[]> {
  for (const named of [commands, ...commands.map((command) => command.arguments ?? [])])
    if (new Set(named.map(({ name }) => name)).size < named.length) throw refusal('command_names_repeated')
  await tx.query(sql`delete from bot_commands where org_id = ${tx.orgId} and bot_id = ${caller.profileId}`)
  const rows = commands.map(({ arguments: taken = [], ...command }) => ({ ...command, arguments: taken }))
  await tx.query(sql`
    insert into bot_commands (org_id, bot_id, name, description, arguments)
    select ${tx.orgId}, ${caller.profileId}, name, description, arguments
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as x (name text, description text, arguments jsonb)`)
  return listCommands(caller, tx)
}

/** `/deploy`, with the bot that is meant where several have it, and what follows. */
const COMMAND = new RegExp(`^/(${COMMAND_NAME})(?:\\s+<@(b@[0-9a-fA-F-]{36})>)?(?:\\s+([\\s\\S]*))?$`)

export const mayBeCommand = (text: string): boolean => COMMAND.test(text)

/** Sends a text that begins like a command. The topic's bot that has this command gets an event beside the message. */
export async function sendCommand(tx: Transaction, caller: Caller, message: TextMessage) {
  const sent = await sendText(tx, caller, message)
  const [, name = '', mentioned, rest = ''] = COMMAND.exec(message.text) ?? []
  const known = (await listTopicCommands(caller, tx, sent.topicId)).filter(
    (one) => one.name === name && (mentioned === undefined || one.botId === mentioned.toLowerCase()),
  )
  const [command, another] = known
  if (another) throw refusal('command_ambiguous')
  if (!command) return sent
  const { profileId: userId } = caller
  const names = await readNames(caller, tx, [userId])
  await emitToBot(tx, MESSAGE_COMMAND, sent.topicId, command.botId, {
    messageId: sent.id,
    topicId: sent.topicId,
    ...(message.parentId !== undefined && { parentId: message.parentId.toLowerCase() }),
    userId,
    userName: names.get(userId) ?? '',
    name,
    arguments: argumentsIn(rest, command.arguments),
    text: rest,
    createdAt: sent.createdAt,
  })
  return sent
}

/** Splits the text: a word or a quoted text for each argument, the rest for the last. */
function argumentsIn(text: string, declared: Command['arguments']): Record<string, string> {
  let rest = text.trim()
  const given = declared.flatMap(({ name }, index): [string, string][] => {
    const isLast = index === declared.length - 1
    const [all = '', quoted, word] = (isLast ? undefined : /^(?:"([^"]*)"|(\S+))\s*/.exec(rest)) ?? []
    const value = isLast ? rest.replace(/^"([^"]*)"$/, '$1') : (quoted ?? word ?? '')
    rest = isLast ? '' : rest.slice(all.length)
    return value === '' ? [] : [[name, value]]
  })
  return Object.fromEntries(given)
}
