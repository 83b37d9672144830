import { Type } from 'typebox'
import { Timestamp } from './common.ts'
import { LIMITS } from './limits.ts'
import { operation } from './operation.ts'

const perDay = (what: string) =>
  Type.Optional(
    Type.Integer({ description: `${what} that it may use in a day; missing: as many as it likes` }),
  )

export const Usage = Type.Object({
  messages: Type.Integer({
    description: 'Messages that it sent today, counted while it has a budget; up to a second old',
  }),
  tokens: Type.Integer({ description: 'Tokens that it reported today' }),
  messagesPerDay: perDay('Messages'),
  tokensPerDay: perDay('Tokens'),
  endsAt: Timestamp('When the day ends: at midnight UTC'),
})

const example = { messages: 12, tokens: 48_200, tokensPerDay: 100_000, endsAt: 1767312000000 }

export const readUsage = operation({
  id: 'readUsage',
  method: 'GET',
  path: '/v2/usage',
  tag: 'Usage',
  summary: 'Read what the bot has used today, and its budgets',
  scope: 'message:send',
  success: { 200: { description: 'The usage of the calling bot', schema: Usage, example } },
})

export const reportUsage = operation({
  id: 'reportUsage',
  method: 'POST',
  path: '/v2/usage',
  tag: 'Usage',
  summary: 'Report tokens that the bot has used',
  description:
    'Adds to the tokens that it has reported today. Once a budget for tokens is used up, the bot can send nothing until the day ends; reports are still accepted.',
  scope: 'message:send',
  body: Type.Object({
    tokens: Type.Integer({
      minimum: 1,
      maximum: LIMITS.tokensPerReport,
      description: 'Tokens of a language model, of one answer or of several',
    }),
  }),
  bodyExample: { tokens: 1200 },
  success: { 200: { description: 'Added', schema: Usage, example } },
})
