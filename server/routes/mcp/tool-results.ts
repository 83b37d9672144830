import type { Refusal } from '../../errors.ts'
import type { WireAnswer } from '../../idempotency/kept-answers.ts'

/** The result as a value, and as text for clients that only support text. */
export function toolResult({ status, payload }: WireAnswer): object {
  const text = payload.toString()
  if (status >= 400) return failure(String(JSON.parse(text))) // the refusal that is kept for a key
  if (text === '') return { content: [textContent('Done.')] }
  return { content: [textContent(text)], structuredContent: JSON.parse(text) }
}

export function toolRefusal({ message, headers }: Refusal): object {
  const wait = headers['Retry-After']
  return failure(wait === undefined ? message : `${message}; try again in ${wait} s`)
}

const failure = (text: string) => ({ content: [textContent(text)], isError: true })
const textContent = (text: string) => ({ type: 'text', text })
