import type {
  PermissionOption,
  RequestPermissionRequest,
  RequestPermissionResponse,
  ToolCallUpdate,
} from '@agentclientprotocol/sdk'
import { ask, type Client, type Operations, ParleyError } from '../sdk/index.ts'
import { type Approvers, audienceOf } from './people.ts'
import { diffOf, placeOf } from './steps.ts'
import { countCodePoints, cut, fenced, oneLine, unhidden, withoutMentions } from './text.ts'

type Question = Operations['askQuestion']['input']['body']

/** An unanswered question counts as a refusal after this time. */
const ANSWER_MS = 3_600_000
const MAX_TITLE = 300
/** Characters of a command or a change that are shown. The question says when there are more. */
const MAX_SHOWN = 1500
const MAX_OPTIONS = 10
/** People who are mentioned in a question, so that they hear of it. */
const MAX_MENTIONED = 5

export type Asking = {
  parley: Client
  approvers: Approvers
  request: { messageId: string; topicId: string; senderId: string }
  place: { topicId: string; parentId?: string }
  folder: string
  /** Names the question. */
  key: string
  /** Aborts when the answer has ended, and no decision is needed any more. */
  signal: AbortSignal
  onAsked: (questionId: string) => Promise<void>
}
/** The decision for the agent, with a sentence for the topic if no person made it. */
export type Decision = { response: RequestPermissionResponse; note?: string }

const CANCELLED: RequestPermissionResponse = { outcome: { outcome: 'cancelled' } }

/** Asks those who may decide whether the agent may do what it wants to do. */
export async function askPermission(
  { toolCall, options }: RequestPermissionRequest,
  asking: Asking,
): Promise<Decision> {
  const { parley, place, signal, key } = asking
  if (signal.aborted) return { response: CANCELLED }
  try {
    const audience = await audienceOf(parley, asking.approvers, asking.request)
    if (!audience)
      return refusedBy(
        options,
        'Nobody who may approve is in this topic, so the agent was refused something.',
      )
    const question: Question = {
      ...place,
      ...audience,
      text: textOf(toolCall, asking.folder, audience.people ?? []),
      elements: options.slice(0, MAX_OPTIONS).map(({ name, kind }, index) => ({
        id: `option-${index + 1}`,
        text: cut(oneLine(unhidden(name)) || kind, 75),
        style: kind.startsWith('allow') ? ('primary' as const) : ('default' as const),
      })),
      approval: true,
      expiresAt: Date.now() + ANSWER_MS,
      key,
    }
    const { id } = await parley.askQuestion({ body: question })
    await asking.onAsked(id)
    try {
      const { status, elementId } = await ask(parley, question, { signal })
      const chosen = options[Number(elementId?.slice('option-'.length)) - 1]
      if (status === 'answered' && chosen) return { response: selected(chosen) }
    } catch (error) {
      if (!signal.aborted) throw error
      await withdraw(parley, id)
      return { response: CANCELLED }
    }
    return refusedBy(options, 'Nobody has decided in time, so the agent was refused something.')
  } catch (error) {
    if (signal.aborted) return { response: CANCELLED }
    if (!(error instanceof ParleyError)) throw error
    return refusedBy(options, `Nobody could be asked for an approval: ${cut(error.refusal, 200)}.`)
  }
}

/** Takes no more answers to a question. */
export const withdraw = (parley: Client, questionId: string): Promise<void> =>
  parley.withdrawQuestion({ params: { questionId } }).then(
    () => {},
    (error: unknown) => {
      if (!(error instanceof ParleyError)) throw error // it has ended otherwise
    },
  )

const selected = ({ optionId }: PermissionOption): RequestPermissionResponse => ({
  outcome: { outcome: 'selected', optionId },
})

function refusedBy(options: readonly PermissionOption[], note: string): Decision {
  const refusal = ['reject_once', 'reject_always']
    .map((kind) => options.find((option) => option.kind === kind))
    .find((option) => option !== undefined)
  return { response: refusal ? selected(refusal) : CANCELLED, note }
}

/** The text of the question: the title, the places, and the command or the change itself. */
function textOf(call: ToolCallUpdate, folder: string, people: readonly string[]): string {
  const called = people.length > MAX_MENTIONED ? '' : people.map((id) => `<@${id}> `).join('')
  const title = cut(oneLine(unhidden(call.title ?? '')) || 'Use a tool', MAX_TITLE)
  const places = (call.locations ?? []).slice(0, 20).map(({ path, line }) => placeOf(folder, path, line))
  const changes = (call.content ?? []).flatMap((content) =>
    content.type === 'diff' ? [diffOf(content)] : [],
  )
  const texts = (call.content ?? []).flatMap((content) =>
    content.type === 'content' && content.content.type === 'text' ? [content.content.text] : [],
  )
  const input =
    call.rawInput === undefined || changes.length > 0 ? [] : [JSON.stringify(call.rawInput, null, 2)]
  return [
    `${called}The agent wants to do this: **${title.replaceAll('*', '∗')}**`,
    ...(places.length > 0 ? [withoutMentions(unhidden(cut(places.join(', '), 500)))] : []),
    ...[changes.join('\n\n'), texts.join('\n\n'), ...input].filter((text) => text !== '').map(shown),
  ].join('\n\n')
}

function shown(text: string): string {
  const part = unhidden(cut(withoutMentions(text), MAX_SHOWN))
  const rest = countCodePoints(text) - MAX_SHOWN
  return rest > 0 ? `${fenced(part)}\n**${rest} more characters are not shown.**` : fenced(part)
}
