import { waitForAnswer } from '../../../contract/mcp-questions.ts'
import { askQuestion, type Question, readQuestion, withdrawQuestion } from '../../../contract/questions.ts'
import { Refusal } from '../../errors.ts'
import type { WireAnswer } from '../../idempotency/kept-answers.ts'
import type { McpContext } from './context.ts'
import { CODES, RpcError } from './json-rpc.ts'
import { toolResult } from './tool-results.ts'

/* Tasks of the extension `io.modelcontextprotocol/tasks`: each is a question, under the same id, so that nothing else is kept. */

const POLL_MS = 5000
const STATUS = {
  open: 'working',
  answered: 'completed',
  expired: 'completed',
  withdrawn: 'cancelled',
} as const

const iso = (time: number): string => new Date(time).toISOString()

const described = ({ id, status, createdAt, closedAt, expiresAt }: Question) => ({
  taskId: id,
  status: STATUS[status],
  createdAt: iso(createdAt),
  lastUpdatedAt: iso(closedAt ?? createdAt),
  ttlMs: expiresAt - createdAt,
  pollIntervalMs: POLL_MS,
})

/** The task for a question that was just asked; the refusal where it was not. */
export async function taskOf(context: McpContext, asked: WireAnswer): Promise<object> {
  if (asked.status >= 400) return toolResult(asked)
  const { questionId } = JSON.parse(asked.payload.toString())
  return { resultType: 'task', ...described(await questionOf(context, questionId)) }
}

/** A task, with the result of its tool once the question is over. */
export async function readTask(context: McpContext, { taskId }: Record<string, unknown>): Promise<object> {
  const question = await questionOf(context, taskId)
  const task = described(question)
  if (task.status !== 'completed') return task
  const input = { params: { questionId: question.id }, query: { timeout: 0 }, body: {} }
  return { ...task, result: toolResult(await context.perform(waitForAnswer, input)) }
}

/** No task asks its client for anything: whatever comes is of no use, and no harm. */
export async function updateTask(context: McpContext, { taskId }: Record<string, unknown>): Promise<object> {
  await questionOf(context, taskId)
  return {}
}

export async function cancelTask(context: McpContext, { taskId }: Record<string, unknown>): Promise<object> {
  const { id } = await questionOf(context, taskId)
  await context.perform(withdrawQuestion, { params: { questionId: id }, query: {}, body: {} })
  return {}
}

export async function questionOf(context: McpContext, id: unknown): Promise<Question> {
  if (!context.isPermitted(askQuestion)) throw unknownTask(id)
  try {
    const { payload } = await context.perform(readQuestion, {
      params: { questionId: id },
      query: {},
      body: {},
    })
    return JSON.parse(payload.toString())
  } catch (error) {
    if (error instanceof Refusal && (error.status === 404 || error.status === 400)) throw unknownTask(id)
    throw error
  }
}

const unknownTask = (id: unknown) =>
  new RpcError(CODES.invalidParams, `Unknown task: ${String(id).slice(0, 100)}`)
