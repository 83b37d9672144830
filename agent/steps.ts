import { relative } from 'node:path'
import type { Plan, ToolCall, ToolCallContent, ToolCallUpdate } from '@agentclientprotocol/sdk'
import type { Operations } from '../sdk/index.ts'
import { cut, oneLine, withoutMentions } from './text.ts'

type Step = NonNullable<NonNullable<Operations['setProgress']['input']['body']>['steps']>[number]

const MAX_STEPS = 30
/** Tool calls that are remembered; updates of older ones are lost. */
const MAX_CALLS = 200
const MAX_TITLE = 200
const MAX_TEXT = 1000
/** The server takes 6000 bytes. */
const MAX_BYTES = 5800

const STATUSES = {
  pending: 'pending',
  in_progress: 'in_progress',
  completed: 'done',
  failed: 'failed',
} as const

/** Plans and tool calls of the agent for one answer, as steps of the message. */
export type Steps = {
  plan(plan: Plan): void
  call(call: ToolCall | ToolCallUpdate): void
  /** Marks what runs as failed: it goes no further. */
  breakOff(): void
  readonly shown: Step[]
}

export function createSteps(folder: string): Steps {
  let planned: Step[] = []
  const calls = new Map<string, Step>()
  let count = 0

  return {
    plan({ entries }) {
      planned = entries.slice(0, MAX_STEPS).map(({ content, status }, index) => ({
        id: `plan-${index + 1}`,
        title: titleOf(content),
        status: STATUSES[status] ?? 'pending',
      }))
    },

    call(call) {
      const known = calls.get(call.toolCallId)
      if (!known) count += 1
      const output = call.content ? outputOf(call.content) : ''
      const details = (call.locations ?? []).map(({ path, line }) => placeOf(folder, path, line)).join('\n')
      const step: Step = {
        ...(known ?? { id: `call-${count}`, title: 'Use a tool', status: 'pending' }),
        ...(call.title && { title: titleOf(call.title) }),
        ...(call.status && { status: STATUSES[call.status] ?? 'pending' }),
        ...(details !== '' && { details: cut(withoutMentions(details), MAX_TEXT) }),
        ...(output !== '' && { output: cut(withoutMentions(output), MAX_TEXT) }),
      }
      calls.set(call.toolCallId, step)
      const [oldest] = calls.keys()
      if (calls.size > MAX_CALLS && oldest !== undefined) calls.delete(oldest)
    },

    breakOff() {
      const broken = (step: Step): Step =>
        step.status === 'in_progress' ? { ...step, status: 'failed' } : step
      planned = planned.map(broken)
      for (const [id, step] of calls) calls.set(id, broken(step))
    },

    get shown() {
      const room = Math.max(MAX_STEPS - planned.length, 0)
      return fitting([...planned, ...(room > 0 ? [...calls.values()].slice(-room) : [])])
    },
  }
}

const titleOf = (text: string): string => cut(oneLine(text) || 'Step', MAX_TITLE)

/** Takes away texts, then whole steps, the oldest first, until the rest is small enough. */
function fitting(steps: Step[]): Step[] {
  const isSmall = () => Buffer.byteLength(JSON.stringify(steps)) <= MAX_BYTES
  for (let index = 0; index < steps.length && !isSmall(); index += 1) {
    const step = steps[index]
    if (step) steps[index] = { id: step.id, title: step.title, status: step.status }
  }
  while (!isSmall()) steps.shift()
  return steps
}

function outputOf(contents: readonly ToolCallContent[]): string {
  return contents
    .map((content) => {
      if (content.type === 'diff') return diffOf(content)
      return content.type === 'content' && content.content.type === 'text' ? content.content.text : ''
    })
    .filter((text) => text !== '')
    .join('\n')
}

/** The changed lines of a file, without those that both texts begin and end with. */
export function diffOf({
  path,
  oldText,
  newText,
}: {
  path: string
  oldText?: string | null
  newText: string
}) {
  const before = oldText == null ? [] : oldText.split('\n')
  const after = newText.split('\n')
  let begin = 0
  while (begin < before.length && begin < after.length && before[begin] === after[begin]) begin += 1
  let end = 0
  const most = Math.min(before.length, after.length) - begin
  while (end < most && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1
  const removed = before.slice(begin, before.length - end).map((line) => `-${line}`)
  const added = after.slice(begin, after.length - end).map((line) => `+${line}`)
  return [path, ...removed, ...added].join('\n')
}

export function placeOf(folder: string, path: string, line?: number | null): string {
  const way = relative(folder, path)
  return `${way === '' || way.startsWith('..') ? path : way}${line == null ? '' : `:${line}`}`
}
