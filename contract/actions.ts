import { type Static, Type } from 'typebox'
import { Name, ProfileId, Text, Timestamp, Uuid } from './common.ts'
import { LIMITS } from './limits.ts'
import { operation } from './operation.ts'

/** Refusals of the fields of a form. */
export const FIELD_REFUSALS = [
  'action_ids_repeated',
  'action_option_values_repeated',
  'action_options_misplaced',
  'action_range_invalid',
] as const

/** Refusals of a bot's declared actions. */
export const ACTION_REFUSALS = [
  ...FIELD_REFUSALS,
  'fields_conflict.options and fields',
  'expiry_not_in_future',
  'action_people_misplaced',
  'action_people_invalid',
  'actions_too_large',
] as const

export const FIELD_TYPES = ['text', 'paragraph', 'number', 'choice', 'date', 'person', 'topic'] as const
const STYLES = ['default', 'primary', 'danger'] as const

const id = Type.String({
  pattern: '^[A-Za-z0-9_.:-]{1,64}$',
  description: 'Your own id for it: 1 to 64 letters, digits and `_ . : -`',
})
const options = (description: string) =>
  Type.Optional(
    Type.Array(
      Type.Object({
        text: Name(LIMITS.actionText, 'The label of the option', 'text'),
        value: Text(LIMITS.actionValue, 'The value that the bot gets'),
      }),
      { minItems: 1, maxItems: LIMITS.actionOptions, description },
    ),
  )

/** A field of a form as a bot declares it. */
export const FieldInput = Type.Object({
  id,
  text: Name(LIMITS.actionText, 'The label of the field', 'text'),
  type: Type.Optional(
    Type.Enum(FIELD_TYPES, {
      default: 'text',
      description: '`text` is one line, `paragraph` several',
    }),
  ),
  required: Type.Optional(Type.Boolean({ default: false })),
  options: options('Given with `choice`'),
  min: Type.Optional(Type.Number()),
  max: Type.Optional(Type.Number()),
})

const ElementInput = Type.Object({
  id,
  text: Name(LIMITS.actionText, 'The label of the button, choice or form', 'text'),
  style: Type.Optional(Type.Enum(STYLES, { default: 'default' })),
  doneText: Type.Optional(
    Name(LIMITS.actionText, 'In place of the label: `Approved`, for "Approved by Ada Okafor"', 'doneText'),
  ),
  value: Type.Optional(
    Type.String({
      maxLength: LIMITS.actionValue,
      description: 'The value that the bot gets; for buttons alone',
    }),
  ),
  options: options('Makes it a choice of these'),
  fields: Type.Optional(
    Type.Array(FieldInput, {
      minItems: 1,
      maxItems: LIMITS.actionFields,
      description: 'Makes it open a form',
    }),
  ),
})

const shownOptions = Type.Optional(Type.Array(Type.Object({ text: Type.String(), value: Type.String() })))
/** A field of a form as it is shown. */
export const ActionField = Type.Object({
  id: Type.String(),
  text: Type.String(),
  type: Type.Optional(Type.Enum(FIELD_TYPES)),
  required: Type.Optional(Type.Boolean()),
  options: shownOptions,
  min: Type.Optional(Type.Number()),
  max: Type.Optional(Type.Number()),
})
export type ActionField = Static<typeof ActionField>

const ActionElement = Type.Object({
  id: Type.String(),
  text: Type.String(),
  style: Type.Optional(Type.Enum(STYLES)),
  doneText: Type.Optional(Type.String()),
  value: Type.Optional(Type.String()),
  options: shownOptions,
  fields: Type.Optional(Type.Array(ActionField)),
})
export type ActionElement = Static<typeof ActionElement>

export const WHO_MAY_ANSWER = ['anyone', 'admins', 'owners', 'people'] as const
const USES = ['once', 'each', 'always'] as const
const use = '`once`: the first answer counts; `each`: one of each person; `always`: every press'
const expiresAt = Type.Optional(Timestamp('No answer is taken from then on'))

const title = Type.Optional(Name(LIMITS.actionTitle, 'The head of the card that holds the elements', 'title'))
const facts = Type.Optional(
  Type.Array(
    Type.Object({
      label: Name(LIMITS.actionText, 'The name of the fact, such as `Changes`', 'label'),
      text: Text(LIMITS.actionFactText, 'The fact as plain text'),
    }),
    {
      minItems: 1,
      maxItems: LIMITS.actionFacts,
      description: 'Facts that people need for their answer, a line each',
    },
  ),
)

/** Buttons, choices and forms as a bot declares them. */
export const ActionsInput = Type.Object({
  title,
  facts,
  elements: Type.Array(ElementInput, {
    minItems: 1,
    maxItems: LIMITS.actionElements,
    description: 'Buttons, choices and forms, from first to last',
  }),
  who: Type.Optional(
    Type.Enum(WHO_MAY_ANSWER, {
      default: 'anyone',
      description: 'Who of the topic may answer; `people`: those in `people`',
    }),
  ),
  people: Type.Optional(
    Type.Array(
      ProfileId('A person of the topic', { pattern: 'action_people_invalid', type: 'action_people_invalid' }),
      {
        minItems: 1,
        maxItems: LIMITS.actionPeople,
        description: 'Given with `who` set to `people`',
      },
    ),
  ),
  use: Type.Optional(Type.Enum(USES, { default: 'once', description: use })),
  expiresAt,
  approval: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'Answers stand in the audit log, with the question and the values of forms',
    }),
  ),
})
export type ActionsInput = Static<typeof ActionsInput>

export const ActionAnswer = Type.Object({
  id: Uuid('The answer'),
  userId: ProfileId('The person who answered'),
  elementId: Type.String(),
  value: Type.Optional(Type.String({ description: 'The value of the button or of the chosen option' })),
  createdAt: Timestamp('When'),
})
export type ActionAnswer = Static<typeof ActionAnswer>

/** How a question can end. */
export const OUTCOMES = ['answered', 'expired', 'withdrawn'] as const

const AskedQuestion = Type.Object({
  id: Uuid('The question, for `readQuestion`'),
  quorum: Type.Integer({ description: 'The number of people who must give the same answer' }),
  decisive: Type.Optional(
    Type.Array(Type.String(), {
      description: 'Elements that end it as soon as one person answers with them',
    }),
  ),
  otherwise: Type.Optional(
    Type.String({ description: 'The element that counts if the time is over without an answer' }),
  ),
})
export const Outcome = Type.Object({
  status: Type.Enum(OUTCOMES),
  elementId: Type.Optional(Type.String({ description: 'What counts' })),
  value: Type.Optional(Type.String({ description: 'The value of it' })),
  closedAt: Timestamp('When'),
})
export type Outcome = Static<typeof Outcome>

/**
 * The buttons of a message with the answers so far. Form values go only to the bot and, for an approval, into the audit
 * log.
 */
export const MessageActions = Type.Object({
  id: Uuid('The id of this question, which changes when the bot asks another or changes the text'),
  hash: Type.String({
    description:
      'SHA-256 of the text and of what can be answered, in hex; an answer says with it what was seen',
  }),
  title: Type.Optional(Type.String()),
  facts: Type.Optional(Type.Array(Type.Object({ label: Type.String(), text: Type.String() }))),
  elements: Type.Array(ActionElement, { description: 'The elements as declared' }),
  who: Type.Enum(WHO_MAY_ANSWER),
  people: Type.Optional(Type.Array(ProfileId())),
  use: Type.Enum(USES, { description: use }),
  expiresAt,
  approval: Type.Boolean(),
  answers: Type.Array(ActionAnswer, {
    description: `The first ${LIMITS.actionAnswersShown}; of \`always\` none`,
  }),
  question: Type.Optional(AskedQuestion),
  outcome: Type.Optional(Outcome),
})
export type MessageActions = Static<typeof MessageActions>

export const noteAction = operation({
  id: 'noteAction',
  method: 'POST',
  path: '/v2/actions/{actionId}/note',
  tag: 'Messages',
  summary: 'Answer a person alone',
  description: 'A line under the message that only the person sees who pressed. The latest one counts.',
  scope: 'message:write',
  params: Type.Object({ actionId: Uuid('The answer, as `message.action` named it') }),
  body: Type.Object({ text: Text(LIMITS.actionNote, 'The text of the note') }),
  bodyExample: { text: 'Thank you. The deployment has begun.' },
  success: { 204: { description: 'Told' } },
  refusals: ['action_not_found'],
})
