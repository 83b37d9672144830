import { setTimeout as sleep } from 'node:timers/promises'
import {
  type ContentBlock,
  RequestError,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type SessionNotification,
  type SessionUpdate,
} from '@agentclientprotocol/sdk'
import type { RunningAgent } from './agent-process.ts'
import type { Answer, Place } from './answer.ts'
import { AgentGone, closingFor, PROGRAM_ENDED } from './closing.ts'
import type { AgentRequest, BotParts } from './parts.ts'
import { askPermission } from './permissions.ts'
import { createSteps, type Steps } from './steps.ts'

/** Time that an agent has to end what was cancelled. After that its session is given up. */
const CANCEL_MS = 10_000

/** Why an answer is to end: a person has stopped it, or the program ends. */
export type Ending = 'person' | 'program'

export type Given = {
  agent: RunningAgent
  sessionId: string
  blocks: ContentBlock[]
  answer: Answer
  request: AgentRequest
  place: Place
  thread: string
  /** The folder of the topic. */
  work: string
  /** Aborts with an `Ending`. */
  ending: AbortSignal
  onQuestion: (id: string) => Promise<void>
}

/** Prompts under way, and the agent's updates and requests for them. */
export type Exchanges = {
  /** Gives the agent a prompt, and ends the answer when the agent has ended it. */
  give(given: Given): Promise<void>
  update(notification: SessionNotification): void
  permit(request: RequestPermissionRequest): Promise<RequestPermissionResponse>
  /** The folder of a session that works now. Throws for others. */
  folderOf(sessionId: string): string
}

type Exchange = {
  folder: string
  take(update: SessionUpdate): void
  permit(request: RequestPermissionRequest): Promise<RequestPermissionResponse>
}

export function createExchanges(parts: BotParts): Exchanges {
  const { parley, state, log } = parts
  /** Exchanges by session: a session works on one prompt at a time. */
  const running = new Map<string, Exchange>()

  async function give(given: Given): Promise<void> {
    const { agent, sessionId, answer, ending } = given
    const steps = createSteps(given.work)
    const over = new AbortController()
    const end = AbortSignal.any([ending, over.signal, agent.ended])
    running.set(sessionId, {
      folder: given.work,
      take: takerOf(answer, steps),
      permit: permitterOf(parts, given, steps, end),
    })
    const showLast = () => {
      over.abort()
      running.delete(sessionId)
      if (steps.shown.length > 0) answer.show(() => ({ steps: steps.shown }))
    }
    try {
      const prompted = agent.context.request('session/prompt', { sessionId, prompt: given.blocks })
      prompted.catch(() => {}) // it may end after the answer
      const response = await Promise.race([prompted, cancelled(agent, sessionId, ending)])
      await new Promise((resolve) => setImmediate(resolve)) // updates that came with the response
      if (response === undefined) await giveUp(given)
      if (ending.aborted || response?.stopReason === 'cancelled') steps.breakOff()
      showLast()
      await reportTokens(response)
      if (ending.reason === ('program' satisfies Ending)) await answer.end(PROGRAM_ENDED, true)
      else await answer.end(...closingFor(response?.stopReason, answer.isEmpty))
    } catch (error) {
      steps.breakOff()
      showLast()
      agent.sessions.delete(sessionId) // it may have lost it: the next request loads it, or begins another
      throw agent.ended.aborted ? new AgentGone() : error
    }
  }

  async function giveUp({ agent, sessionId, thread }: Given): Promise<void> {
    agent.sessions.delete(sessionId)
    await state.sessions.delete(thread)
    log('the agent did not end what was stopped; the thread goes on in a new session')
  }

  /** Tokens are known where the agent tells them with its answer. */
  async function reportTokens(response: unknown): Promise<void> {
    const tokens: unknown = Object(Object(response).usage).totalTokens
    if (typeof tokens !== 'number' || !Number.isInteger(tokens) || tokens < 1) return
    await parley
      .reportUsage({ body: { tokens: Math.min(tokens, 1_000_000_000) } })
      .catch((error: unknown) => log(`tokens are not reported: ${Object(error).message}`))
  }

  return {
    give,

    update({ sessionId, update }) {
      if (update.sessionUpdate === 'available_commands_update') parts.commands.add(update.availableCommands)
      else running.get(sessionId)?.take(update)
    },

    permit: async (request) =>
      running.get(request.sessionId)?.permit(request) ?? { outcome: { outcome: 'cancelled' } },

    folderOf(sessionId) {
      const exchange = running.get(sessionId)
      if (!exchange) throw RequestError.invalidParams(undefined, 'no answer of this session is under way')
      return exchange.folder
    },
  }
}

/** Cancels the prompt when it is to end. Resolves if the agent goes on all the same. */
async function cancelled(agent: RunningAgent, sessionId: string, ending: AbortSignal): Promise<undefined> {
  if (!ending.aborted)
    await new Promise((resolve) => ending.addEventListener('abort', resolve, { once: true }))
  await agent.context.notify('session/cancel', { sessionId })
  await sleep(CANCEL_MS, undefined, { ref: false })
  return undefined
}

function permitterOf(
  { parley, approvers }: BotParts,
  { answer, request, place, work: folder, onQuestion }: Given,
  steps: Steps,
  signal: AbortSignal,
): Exchange['permit'] {
  let before: Promise<unknown> = Promise.resolve()
  let count = 0

  async function permit(asked: RequestPermissionRequest): Promise<RequestPermissionResponse> {
    count += 1
    const key = `agent:${request.messageId}:${count}`
    steps.call(asked.toolCall)
    answer.show(() => ({ steps: steps.shown, activity: 'waits for an approval' }))
    const asking = { parley, approvers, request, place, folder, key, signal, onAsked: onQuestion }
    const { response, note } = await askPermission(asked, asking)
    if (note !== undefined) answer.append(`\n\n_${note}_\n\n`)
    answer.show(() => ({ steps: steps.shown }))
    return response
  }

  // One question after the other: two at once would read as one.
  return (asked) => {
    const asking = before.then(() => permit(asked))
    before = asking.catch(() => {})
    return asking
  }
}

function takerOf(answer: Answer, steps: Steps): Exchange['take'] {
  let isResumed = false
  const showSteps = () => {
    isResumed = !answer.isEmpty
    answer.show(() => ({ steps: steps.shown }))
  }
  return (update) => {
    if (update.sessionUpdate === 'agent_message_chunk') {
      const text = textIn(update.content)
      if (text === '') return
      // Text after a tool call begins a paragraph.
      answer.append(isResumed ? `\n\n${text}` : text)
      isResumed = false
    } else if (update.sessionUpdate === 'plan') {
      steps.plan(update)
      showSteps()
    } else if (update.sessionUpdate === 'tool_call' || update.sessionUpdate === 'tool_call_update') {
      steps.call(update)
      showSteps()
    }
  }
}

function textIn(content: ContentBlock): string {
  if (content.type === 'text') return content.text
  return content.type === 'resource_link' ? `[${content.name}](${content.uri})` : ''
}
