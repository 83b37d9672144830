import type { StreamChunk } from 'chat'
import type { Client, Operations } from '../../sdk/index.ts'

type Step = NonNullable<NonNullable<Operations['setProgress']['input']['body']>['steps']>[number]
type Task = Extract<StreamChunk, { type: 'task_update' }>

const STATUSES = {
  pending: 'pending',
  in_progress: 'in_progress',
  complete: 'done',
  error: 'failed',
} as const

/** Shows the tasks of a streamed message as the steps of the bot's work. */
export function stepsOf(parley: Client, messageId: string): (task: Task) => Promise<void> {
  const steps = new Map<string, Step>()
  return async ({ id, title, status, details, output }) => {
    steps.set(id, {
      id,
      title,
      status: STATUSES[status],
      ...(details !== undefined && { details }),
      ...(output !== undefined && { output }),
    })
    await parley.setProgress({ params: { messageId }, body: { steps: [...steps.values()] } })
  }
}
