import { LIMITS } from '../../../contract/limits.ts'
import {
  type AskResult,
  ask,
  requestApproval,
  TOOL_ELEMENTS,
  waitForAnswer,
} from '../../../contract/mcp-questions.ts'
import type { BodyOf } from '../../../contract/operation.ts'
import { askQuestion } from '../../../contract/questions.ts'
import type { Caller } from '../../caller.ts'
import { refusal } from '../../errors.ts'
import { waitForEnd } from '../../events/question-wait.ts'
import { json } from '../../http/answers.ts'
import type { RunOperation } from '../../http/bot-api.ts'
import { wireOf } from '../../http/wire.ts'
import type { WireAnswer } from '../../idempotency/kept-answers.ts'
import type { Parley } from '../../parley.ts'
import { type QuestionRow, readAskedElements } from '../../queries/messages/questions.ts'

type Parts = Pick<Parley, 'clock' | 'db' | 'longPolls' | 'tail'>
type Element = BodyOf<typeof askQuestion>['elements'][number]

const MINUTE_MS = 60_000

/** Operations of tools that ask, by id: each asks by `askQuestion`, as its route would, and waits. */
export function questionRuns(
  parley: Parts,
  runs: ReadonlyMap<string, RunOperation>,
): readonly (readonly [string, RunOperation])[] {
  const wires = { ask: wireOf(ask), approval: wireOf(requestApproval), wait: wireOf(waitForAnswer) }
  const run = runs.get(askQuestion.id)
  if (!run) throw new Error('askQuestion has no route')

  const askAndWait = async (
    [caller, call]: [Parameters<RunOperation>[0], Parameters<RunOperation>[2]],
    question: Omit<BodyOf<typeof askQuestion>, 'expiresAt'>,
    { minutes, timeout = LIMITS.toolWaitDefaultSeconds }: { minutes?: number; timeout?: number },
  ): Promise<WireAnswer> => {
    const body = {
      ...question,
      ...(minutes !== undefined && { expiresAt: parley.clock() + minutes * MINUTE_MS }),
    }
    const asked = await run(caller, { params: {}, query: {}, body }, call)
    if (asked.status >= 400) return asked // the refusal that is kept for a key
    const { id } = JSON.parse(asked.payload.toString())
    const onGone = (listener: () => void) => call.onGone(listener)
    return answerOf(parley, caller, await waitForEnd(parley, caller, id, { wait: timeout, onGone }))
  }

  return [
    [
      ask.id,
      async (caller, given, call) => {
        const { body } = wires.ask.check(given)
        const { topicId, text, quorum, choices, otherwise, people } = body
        const elements = choices?.map((choice, index) => ({ id: `choice-${index + 1}`, text: choice })) ?? [
          FREE_TEXT,
        ]
        const other = elements.find((element) => element.text === otherwise)
        if (otherwise !== undefined && !other) throw refusal('field_invalid', { field: 'otherwise' })
        const question = {
          ...{ topicId, text, elements },
          ...(quorum !== undefined && { quorum }),
          ...(people && { who: 'people' as const, people }),
          ...(other && { otherwise: other.id }),
        }
        return askAndWait([caller, call], question, body)
      },
    ],
    [
      requestApproval.id,
      async (caller, given, call) => {
        const { body } = wires.approval.check(given)
        const { topicId, text, quorum, people, who, approve = 'Approve', refuse = 'Refuse' } = body
        const elements: Element[] = [
          { id: TOOL_ELEMENTS.approve, text: approve, style: 'primary', doneText: 'Approved' },
          { id: TOOL_ELEMENTS.refuse, text: refuse, doneText: 'Refused' },
        ]
        const question = {
          ...{ topicId, text, elements, approval: true, decisive: [TOOL_ELEMENTS.refuse] },
          ...(quorum !== undefined && { quorum }),
          ...(people ? { who: 'people' as const, people } : who && { who }),
        }
        return askAndWait([caller, call], question, body)
      },
    ],
    [
      waitForAnswer.id,
      async (caller, given, call) => {
        const { params, query } = wires.wait.check(given)
        const { timeout = LIMITS.toolWaitDefaultSeconds } = query
        const onGone = (listener: () => void) => call.onGone(listener)
        const question = await waitForEnd(parley, caller, params.questionId, { wait: timeout, onGone })
        return answerOf(parley, caller, question)
      },
    ],
  ]
}

const FREE_TEXT: Element = {
  id: TOOL_ELEMENTS.text,
  text: 'Answer',
  fields: [{ id: TOOL_ELEMENTS.text, text: 'Answer', type: 'paragraph', required: true }],
}

/** The answer in the words that people have read, or written. */
export async function answerOf(
  { db }: Pick<Parley, 'db'>,
  caller: Caller,
  question: QuestionRow,
): Promise<WireAnswer> {
  const { id, status, element_id: elementId, values, approval, answers } = question
  const elements = elementId === null ? [] : await readAskedElements(caller, db, id)
  const label = elements.find((element) => element.id === elementId)?.text ?? elementId
  const result: AskResult = {
    questionId: id,
    status,
    ...(label !== null && { answer: values?.[TOOL_ELEMENTS.text] ?? label }),
    ...(approval &&
      status !== 'open' && { approved: status === 'answered' && elementId === TOOL_ELEMENTS.approve }),
    answeredBy: answers.map(({ userName }) => userName),
  }
  return json(200, JSON.stringify(result))
}
