import { caseKey } from '../../../contract/case-key.ts'
import { splitArguments } from '../../../contract/command-arguments.ts'
import { COMMAND_NAME, type Command } from '../../../contract/commands.ts'
import { UUID } from '../../../contract/common.ts'
import { LIMITS } from '../../../contract/limits.ts'
import { MESSAGE_COMMAND } from '../../../contract/people/stream.ts'
import type { Caller } from '../../caller.ts'
import { sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/transaction.ts'
import { refusal } from '../../errors.ts'
import { emitToBot } from '../../events/log.ts'
import { listCommands, listTopicCommands } from '../../queries/bots/commands.ts'
import { isTopicVisible, readNames } from '../../queries/messages/messages.ts'
import { formValues, isDay, numberOf } from '../messages/form-values.ts'
import type { TextMessage } from '../messages/message-drafts.ts'
import { sendText } from '../messages/messages.ts'
import { checkFields } from '../messages/questions.ts'
import { maskedIn } from '../topics/written-texts.ts'

type NewCommand = Omit<Command, 'arguments'> & Partial<Pick<Command, 'arguments'>>
/** A command as a person gives it, with the values of its form if it has one. */
type GivenCommand = TextMessage & { values?: Record<string, string> }

/** Refuses commands that could not be told apart or given. */
export function refuseUnusable(commands: readonly NewCommand[]): void {
  for (const named of [commands, ...commands.map((command) => command.arguments ?? [])])
    if (new Set(named.map(({ name }) => name)).size < named.length) throw refusal('command_names_repeated')
  if (!commands.every((command) => areArguments(command.arguments ?? [])))
    throw refusal('command_arguments_invalid')
  const forms = commands.flatMap(({ fields }) => (fields ? [fields] : []))
  if (commands.some((command) => command.fields && (command.arguments ?? []).length > 0))
    throw refusal('fields_conflict', { fields: 'arguments and fields' })
  for (const fields of forms) checkFields(fields, 'commands')
  if (Buffer.byteLength(JSON.stringify(forms)) > LIMITS.commandFieldsBytes)
    throw refusal('command_fields_too_large')
}

/** Replaces the bot's commands. */
export async function setCommands(
  tx: Transaction,
  caller: Caller,
  commands: readonly NewCommand[],
): Promise<Command[]> {
  refuseUnusable(commands)
  await tx.query(sql`delete from bot_commands where org_id = ${tx.orgId} and bot_id = ${caller.profileId}`)
  const rows = commands.map(({ arguments: taken = [], ...command }) => ({ ...command, arguments: taken }))
  await tx.query(sql`
    insert into bot_commands (org_id, bot_id, name, description, arguments, fields)
    select ${tx.orgId}, ${caller.profileId}, name, description, arguments, fields
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as x (name text, description text, arguments jsonb, fields jsonb)`)
  return listCommands(caller, tx)
}

/** Whether the options belong to choices, and no required argument stands behind one that can be left out. */
function areArguments(declared: Command['arguments']): boolean {
  const firstOptional = declared.findIndex(({ required }) => required !== true)
  return declared.every(({ type, required, options }, index) => {
    const isInOrder = required !== true || firstOptional === -1 || index < firstOptional
    const isChoice = type === 'choice'
    const areDistinct = new Set(options?.map(caseKey)).size === (options?.length ?? 0)
    return isInOrder && isChoice === (options !== undefined) && areDistinct
  })
}

/** `/deploy`, with the bot that is meant where several have it, and what follows. */
const COMMAND = new RegExp(`^/(${COMMAND_NAME})(?:\\s+<@(b@[0-9a-fA-F-]{36})>)?(?:\\s+([\\s\\S]*))?$`)

export const mayBeCommand = (text: string): boolean => COMMAND.test(text)

/**
 * Sends a text that begins like a command. The topic's bot that has this command gets an event beside the message, with the values of
 * its form if it has one.
 */
export async function sendCommand(tx: Transaction, caller: Caller, { values, ...message }: GivenCommand) {
  const sent = await sendText(tx, caller, message)
  const [, name = '', mentioned, rest = ''] = COMMAND.exec(maskedIn(tx, message.text)) ?? []
  const known = (await listTopicCommands(caller, tx, sent.topicId)).filter(
    (one) => one.name === name && (mentioned === undefined || one.botId === mentioned.toLowerCase()),
  )
  const [command, another] = known
  if (another) throw refusal('command_ambiguous')
  if (values && !command?.fields) throw refusal('command_form_unknown')
  if (!command) return sent
  if (command.fields && !values) throw refusal('command_form_missing')
  const { profileId: userId } = caller
  const names = await readNames(caller, tx, [userId])
  await emitToBot(tx, MESSAGE_COMMAND, sent.topicId, command.botId, {
    messageId: sent.id,
    topicId: sent.topicId,
    ...(message.parentId !== undefined && { parentId: message.parentId.toLowerCase() }),
    userId,
    userName: names.get(userId) ?? '',
    name,
    arguments: command.fields
      ? await formValues(tx, caller, command.fields, values ?? {})
      : await argumentsIn(tx, caller, rest, command.arguments),
    text: rest,
    createdAt: sent.createdAt,
  })
  return sent
}

/** The arguments by their names, each as its type wants it; those left out are missing. */
async function argumentsIn(
  tx: Transaction,
  caller: Caller,
  text: string,
  declared: Command['arguments'],
): Promise<Record<string, string>> {
  const given = splitArguments(text, declared)
  const names = new Set(given.map(([{ name }]) => name))
  if (declared.some(({ name, required }) => required === true && !names.has(name)))
    throw refusal('command_argument_missing')
  const values: [string, string][] = []
  for (const [argument, written] of given) {
    const value = await checkedValue(tx, caller, argument, written)
    if (value === undefined) throw refusal('command_argument_wrong')
    values.push([argument.name, value])
  }
  return Object.fromEntries(values)
}

const PERSON = new RegExp(`^<@(${UUID})>$`)
const TOPIC = new RegExp(`/t/(${UUID})\\)$`)

/** The value for the bot; undefined where it does not fit. Mentions were checked when the message was sent. */
async function checkedValue(
  tx: Transaction,
  caller: Caller,
  { type = 'text', options = [] }: Command['arguments'][number],
  written: string,
): Promise<string | undefined> {
  switch (type) {
    case 'text':
      return written
    case 'number':
      return numberOf(written)
    case 'date':
      return isDay(written) ? written : undefined
    case 'person':
      return PERSON.exec(written)?.[1]?.toLowerCase()
    case 'topic': {
      const topicId = TOPIC.exec(written)?.[1]?.toLowerCase()
      return topicId !== undefined && (await isTopicVisible(caller, tx, topicId)) ? topicId : undefined
    }
    case 'choice':
      return options.find((option) => caseKey(option) === caseKey(written))
  }
}
