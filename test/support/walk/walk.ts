import { isDeepStrictEqual } from 'node:util'
import { type Answer, call } from '../client.ts'
import type { Lane, Step } from './lane.ts'
import * as messages from './message-steps.ts'
import * as tasks from './task-steps.ts'
import * as topics from './topic-steps.ts'

type Plan = (lane: Lane) => Step | undefined

/** Weights of the steps. */
const STEPS: readonly (readonly [number, Plan])[] = [
  [6, topics.createTopic],
  [3, topics.readTopic],
  [2, topics.renameTopic],
  [4, topics.addMember],
  [4, topics.removeMember],
  [1, topics.createLabel],
  [2, topics.putLabel],
  [1, topics.takeLabelOff],
  [2, topics.changeOrgUnit],
  [20, (lane) => messages.sendMessage(lane)],
  [3, messages.repeatMessage],
  [1, messages.sendNothing],
  [4, messages.readMessage],
  [3, messages.editMessage],
  [2, messages.deleteMessage],
  [1, messages.readDeleted],
  [4, messages.react],
  [2, messages.takeReactionBack],
  [3, messages.listMessages],
  [2, tasks.createTask],
  [2, tasks.readTask],
  [2, tasks.updateTask],
  [1, tasks.deleteTask],
  [1, tasks.createPoll],
  [3, tasks.castVote],
  [1, tasks.retractVote],
]
const DRAWN = STEPS.flatMap(([weight, plan]) => Array.from({ length: weight }, () => plan))
/** Chance of writing into all topics of a lane at the same time. */
const BURST_CHANCE = 0.15
/** Steps of a lane that are shown with a mistake. */
const TRAIL = 12

export type WalkReport = {
  requests: number
  /** Counts of each answer; refusals by their text. */
  answers: Record<string, number>
  /** Each wrong answer, with the steps of its lane before it. */
  mistakes: string[]
}

/** Takes steps in all lanes at once, by these nodes, until so many requests were answered. */
export async function walk(
  lanes: readonly Lane[],
  urls: readonly string[],
  requests: number,
): Promise<WalkReport> {
  const report: WalkReport = { requests: 0, answers: {}, mistakes: [] }
  const quota = Math.ceil(requests / lanes.length)
  await Promise.all(lanes.map((lane) => walkLane(lane, urls, quota, report)))
  return report
}

async function walkLane(
  lane: Lane,
  urls: readonly string[],
  requests: number,
  report: WalkReport,
): Promise<void> {
  const trail: string[] = []
  for (let asked = 0; asked < requests; ) {
    const steps = draw(lane)
    const url = lane.random.pick(urls)
    const answers = await Promise.all(steps.map((step) => take(url, step)))
    asked += steps.length
    report.requests += steps.length
    // Answers are applied in the order of the plan, so that the same seed draws the same steps.
    steps.forEach((step, place) => {
      const answer = answers[place]
      if (!answer) return
      const name = answer.status < 400 ? String(answer.status) : `${answer.status} ${answer.text}`
      report.answers[name] = (report.answers[name] ?? 0) + 1
      trail.push(`node ${urls.indexOf(url)}: ${describe(step, answer)}`)
      if (isRight(step, answer)) step.apply?.(answer.body)
      else
        report.mistakes.push(
          `${lane.name}: expected ${JSON.stringify(step.expected)}\n  ${trail.slice(-TRAIL).join('\n  ')}`,
        )
    })
  }
}

/** One step, or one message into each topic. */
function draw(lane: Lane): Step[] {
  const isBurst = lane.random.chance(BURST_CHANCE)
  const burst = isBurst ? lane.topics.flatMap((topic) => messages.sendMessage(lane, topic) ?? []) : []
  if (burst.length > 0) return burst
  for (;;) {
    const step = lane.random.pick(DRAWN)(lane)
    if (step) return [step]
  }
}

const take = (url: string, { bot, method, path, body, key }: Step): Promise<Answer> =>
  call(url, bot.credentials, method, path, {
    body,
    ...(key !== undefined && { headers: { 'idempotency-key': key } }),
  })

function isRight({ expected, seen }: Step, { status, body }: Answer): boolean {
  if (status !== expected.status) return false
  if (!('body' in expected)) return true
  const isRefusal = status >= 400
  return isDeepStrictEqual(seen && !isRefusal ? seen(body) : body, expected.body)
}

const describe = ({ bot, method, path, body, key }: Step, { status, text }: Answer): string =>
  `${bot.id.slice(0, 6)} ${method} ${path} ${JSON.stringify(body) ?? ''}${key === undefined ? '' : ` key ${key.slice(0, 4)}`} → ${status} ${text.slice(0, 200)}`
