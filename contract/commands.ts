import { type Static, type TSchema, Type } from 'typebox'
import { ActionField, FIELD_REFUSALS, FieldInput } from './actions.ts'
import { ARGUMENT_TYPES } from './command-arguments.ts'
import { Name } from './common.ts'
import { LIMITS } from './limits.ts'
import { operation } from './operation.ts'

export const COMMAND_NAME = '[a-z][a-z0-9_-]{0,31}'

const typed = <Option extends TSchema>(option: Option) => ({
  type: Type.Optional(
    Type.Enum(ARGUMENT_TYPES, {
      description:
        'The kind of its value, `text` by default. `person`: a mention, its value is the profile id; `topic`: a link to a topic of the writer, its value is the id; `date`: `2027-01-31`; `choice`: one of `options`',
    }),
  ),
  required: Type.Optional(Type.Boolean({ description: 'Whether a command without it is refused' })),
  options: Type.Optional(
    Type.Array(option, {
      minItems: 1,
      maxItems: LIMITS.actionOptions,
      description: 'The options of a `choice`',
    }),
  ),
})

const CommandInput = Type.Object({
  name: Type.String({
    pattern: `^${COMMAND_NAME}$`,
    description:
      'The word that people write after `/`: up to 32 lower-case letters, digits, `_` and `-`, beginning with a letter',
  }),
  description: Name(LIMITS.commandText, 'A short description of the command', 'description'),
  arguments: Type.Optional(
    Type.Array(
      Type.Object({
        name: Type.String({
          pattern: `^${COMMAND_NAME}$`,
          description: 'The name of the argument in the event',
        }),
        description: Type.Optional(Name(LIMITS.commandText, 'A hint about what to write', 'description')),
        ...typed(Name(LIMITS.actionText, 'A text to choose', 'options')),
      }),
      {
        maxItems: LIMITS.commandArguments,
        description: 'Arguments in their order; the last one takes the rest of the text',
      },
    ),
  ),
  fields: Type.Optional(
    Type.Array(FieldInput, {
      minItems: 1,
      maxItems: LIMITS.actionFields,
      description: 'Makes the command open a form; its values come as `arguments`',
    }),
  ),
})

const Command = Type.Object({
  name: Type.String(),
  description: Type.String(),
  arguments: Type.Array(
    Type.Object({ name: Type.String(), description: Type.Optional(Type.String()), ...typed(Type.String()) }),
  ),
  fields: Type.Optional(Type.Array(ActionField, { description: 'The fields of its form' })),
})
export type Command = Static<typeof Command>

const Commands = Type.Object({ commands: Type.Array(Command) })
export const commandExample: Command = {
  name: 'deploy',
  description: 'Deploy a version',
  arguments: [{ name: 'environment', description: 'Where to' }],
}

export const listCommands = operation({
  id: 'listCommands',
  method: 'GET',
  path: '/v2/commands',
  tag: 'Commands',
  summary: 'List the own commands',
  scope: 'message:send',
  success: {
    200: { description: 'The commands', schema: Commands, example: { commands: [commandExample] } },
  },
})

export const setCommands = operation({
  id: 'setCommands',
  method: 'PUT',
  path: '/v2/commands',
  tag: 'Commands',
  summary: 'Set the own commands',
  description: 'These take the place of all that the bot had. They count in every topic that it is in.',
  scope: 'message:send',
  body: Type.Object({
    commands: Type.Array(CommandInput, { maxItems: LIMITS.commands, description: 'Empty: none any more' }),
  }),
  bodyExample: { commands: [commandExample] },
  success: {
    200: { description: 'The commands', schema: Commands, example: { commands: [commandExample] } },
  },
  refusals: [
    'command_names_repeated',
    'command_arguments_invalid',
    'fields_conflict.arguments and fields',
    ...FIELD_REFUSALS,
    'command_fields_too_large',
  ],
})

/** A command as shown to its writer, with its bot. */
export const TopicCommand = Type.Object({ ...Command.properties, botId: Type.String() })
export type TopicCommand = Static<typeof TopicCommand>
