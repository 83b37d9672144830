import { Type } from 'typebox'
import { Name } from './common.ts'
import { LIMITS } from './limits.ts'
import { operation } from './operation.ts'

const Prompts = Type.Object({ prompts: Type.Array(Type.String()) })
const example = { prompts: ['What went live today?', 'Who is on call?'] }

export const listPrompts = operation({
  id: 'listPrompts',
  method: 'GET',
  path: '/v2/prompts',
  tag: 'Commands',
  summary: 'List the own suggested prompts',
  scope: 'message:send',
  success: { 200: { description: 'The prompts', schema: Prompts, example } },
})

export const setPrompts = operation({
  id: 'setPrompts',
  method: 'PUT',
  path: '/v2/prompts',
  tag: 'Commands',
  summary: 'Suggest what to ask',
  description:
    'These take the place of all that the bot had. People see them where a direct message with the bot begins, and on its profile.',
  scope: 'message:send',
  body: Type.Object({
    prompts: Type.Array(Name(LIMITS.promptText, 'A text that a person can send to the bot', 'prompts'), {
      maxItems: LIMITS.prompts,
      description: 'People see them in this order. Empty: none any more',
    }),
  }),
  bodyExample: example,
  success: { 200: { description: 'The prompts', schema: Prompts, example } },
})
