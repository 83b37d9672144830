import { type Static, Type } from 'typebox'
import { LIMITS } from './limits.ts'

const STEP_STATUSES = ['pending', 'in_progress', 'done', 'failed'] as const

/** A step of what a bot does for an answer. */
export const MessageStep = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 64, description: 'Your own id for it' }),
  title: Type.String({
    minLength: 1,
    maxLength: LIMITS.stepTitle,
    description: 'The task, in a few words',
  }),
  status: Type.Enum(STEP_STATUSES),
  details: Type.Optional(
    Type.String({
      maxLength: LIMITS.stepText,
      description: 'Background of the step, shown when it is opened',
    }),
  ),
  output: Type.Optional(
    Type.String({ maxLength: LIMITS.stepText, description: 'Result of the step, shown when it is opened' }),
  ),
})
export type MessageStep = Static<typeof MessageStep>

/** A source of an answer. */
export const MessageSource = Type.Object({
  title: Type.String({ minLength: 1, maxLength: LIMITS.stepTitle }),
  url: Type.Optional(
    Type.String({
      maxLength: 2000,
      pattern: '^https?://[^\\s]+$',
      description: 'The address of the source: http or https',
    }),
  ),
  quote: Type.Optional(Type.String({ maxLength: LIMITS.stepText, description: 'The words that matter' })),
})
export type MessageSource = Static<typeof MessageSource>

export const MessageSteps = Type.Array(MessageStep, {
  maxItems: LIMITS.messageSteps,
  description: 'Steps of the bot’s work, from first to last',
})
export const MessageSources = Type.Array(MessageSource, {
  maxItems: LIMITS.messageSources,
  description: 'Sources of the text; the first is number 1',
})
export type Progress = { steps?: MessageStep[]; sources?: MessageSource[]; activity?: string }
