import type { Operations, Question } from './api.ts'
import type { Client } from './client.ts'

/** Seconds that one request waits at most; the next goes on with the same question. */
const WAIT_SECONDS = 30

export type AskedQuestion = Operations['askQuestion']['input']['body']

/**
 * Asks people, and resolves when enough of them have given the same answer, the time is over, or the question was withdrawn. With a
 * `key`, a program that was restarted goes on waiting for the question that it has asked.
 */
export async function ask(
  parley: Client,
  question: AskedQuestion,
  { signal }: { signal?: AbortSignal } = {},
): Promise<Question> {
  const stop = signal && { signal }
  let asked = await parley.askQuestion({
    body: { ...question, key: question.key ?? crypto.randomUUID() },
    ...stop,
  })
  const params = { questionId: asked.id }
  while (asked.status === 'open')
    asked = await parley.readQuestion({ params, query: { wait: WAIT_SECONDS }, ...stop })
  return asked
}
