import { ParleyError } from '../sdk/index.ts'

const AUTH_REQUIRED = -32000

/** The agent has ended, and could not be started again in time. */
export class AgentGone extends Error {
  override message = 'the agent has ended'
}

/** The sentences that an answer ends with where the agent did not end it. */
const SENTENCES = {
  gone: 'This answer was broken off: the agent ended unexpectedly. Mention it again to go on.',
  signIn: 'The agent is not signed in. Sign it in on the machine that it runs on.',
  failed: 'The agent could not answer. The log of the program that runs it says why.',
}
export const PROGRAM_ENDED =
  'This answer was broken off: the program that runs the agent was ended. Mention it again to go on.'

export function sentenceFor(error: unknown): string {
  if (error instanceof AgentGone) return SENTENCES.gone
  return Object(error).code === AUTH_REQUIRED ? SENTENCES.signIn : SENTENCES.failed
}

/** The end of an answer for the agent's reason to stop. */
export function closingFor(
  reason: string | undefined,
  isEmpty: boolean,
): [closing?: string, isFailed?: boolean] {
  if (reason === 'max_tokens')
    return ['The answer ends here: it has as many tokens as the agent may use.', true]
  if (reason === 'max_turn_requests')
    return ['The answer ends here: the agent has asked its model too often.', true]
  if (reason === 'refusal') return ['The agent refused to answer.', true]
  if (reason === 'cancelled' && isEmpty) return ['Cancelled.', true]
  return isEmpty ? ['Done, without a text.'] : []
}

/** An error of the agent or of the server, for the log. */
export function describe(error: unknown): string {
  const { message, code, data } = Object(error)
  const details = data === undefined ? '' : ` ${JSON.stringify(data)}`.slice(0, 1000)
  return `${message ?? error}${typeof code === 'number' ? ` (${code})` : ''}${details}`
}

/** Whether the bot has used up its budget of the day. */
export const isSpent = (error: unknown): boolean =>
  error instanceof ParleyError && error.code === 'bot_budget_spent'

/** Whether the server may take it in a while: it is away, or asks to wait. */
export const isPassing = (error: unknown): boolean =>
  error instanceof ParleyError
    ? (error.status === 429 && !isSpent(error)) || error.status >= 500
    : error instanceof TypeError && error.message === 'fetch failed'
