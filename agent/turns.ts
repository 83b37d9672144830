import { mkdir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type ContentBlock,
  RequestError,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type SessionNotification,
  type SessionUpdate,
} from '@agentclientprotocol/sdk'
import { type Client, ParleyError } from '../sdk/index.ts'
import type { AgentKeeper, RunningAgent } from './agent-process.ts'
import { type Answer, openAnswer, type Place } from './answer.ts'
import type { Commands } from './commands.ts'
import { earlierTexts } from './context.ts'
import type { Approvers } from './people.ts'
import { askPermission, withdraw } from './permissions.ts'
import type { State } from './state.ts'
import { createSteps, type Steps } from './steps.ts'

/** Time that an agent has to end a turn that was stopped. After that its session is given up. */
const CANCEL_MS = 10_000
/** A mention waits this long for an agent that is being started again. */
const START_MS = 120_000
const AUTH_REQUIRED = -32000

/** What a person wants from the agent. */
export type AgentRequest = {
  messageId: string
  topicId: string
  parentId?: string | undefined
  senderId: string
  text: string
  attachments: readonly { name?: string; url: string; contentType: string }[]
}

export type TurnsOptions = {
  parley: Client
  me: { id: string; name: string }
  state: State
  /** The real path of the folder that everything is below. */
  folder: string
  isShared: boolean
  approvers: Approvers
  /** Profile ids of those who may ask; undefined for everyone. */
  askers: ReadonlySet<string> | undefined
  commands: Commands
  log: (line: string) => void
}

/** Requests that are given to the agent, each until its end. */
export type Turns = {
  /** Answers a request. Resolves when the answer has ended; rejects where it must be tried again later. */
  answer(request: AgentRequest): Promise<void>
  /** Whether a message without a mention is for the bot, too. */
  isDirect(topicId: string): Promise<boolean>
  update(notification: SessionNotification): void
  permit(request: RequestPermissionRequest): Promise<RequestPermissionResponse>
  /** The folder of a session that works now. Throws for others. */
  folderOf(sessionId: string): string
  /** Ends answers that a killed program has left behind. */
  endBrokenOff(): Promise<void>
  /** Cancels what is under way, and takes nothing more. */
  stop(): void
}

type Reason = 'person' | 'program'
type Running = {
  folder: string
  take(update: SessionUpdate): void
  permit(request: RequestPermissionRequest): Promise<RequestPermissionResponse>
}

export function createTurns(options: TurnsOptions, keeper: () => AgentKeeper): Turns {
  const { parley, me, state, folder, log } = options
  const stopping = new AbortController()
  /** Turns under way, by the agent's session. */
  const running = new Map<string, Running>()
  /** The end of the newest turn of each thread: one at a time. */
  const queues = new Map<string, Promise<void>>()
  const direct = new Map<string, Promise<boolean>>()

  function isDirect(topicId: string): Promise<boolean> {
    const known =
      direct.get(topicId) ??
      parley.readTopic({ params: { topicId } }).then(
        ({ type }) => type === 'dm',
        (error: unknown) => {
          direct.delete(topicId)
          if (error instanceof ParleyError && error.status < 429) return false
          throw error
        },
      )
    if (direct.size >= 1000) direct.clear()
    direct.set(topicId, known)
    return known
  }

  async function folderFor(topicId: string): Promise<string> {
    if (options.isShared) return folder
    const own = join(folder, topicId)
    await mkdir(own, { recursive: true })
    if ((await realpath(own)) !== own) throw new Error(`${own} leads to another place`)
    return own
  }

  /** Waits for the turn before in the same thread. */
  async function inOrder(thread: string, run: () => Promise<void>): Promise<void> {
    const before = queues.get(thread) ?? Promise.resolve()
    const turn = before.then(run, run)
    queues.set(thread, turn)
    await turn.finally(() => {
      if (queues.get(thread) === turn) queues.delete(thread)
    })
  }

  async function answer(request: AgentRequest): Promise<void> {
    const isThreadless = request.parentId === undefined && (await isDirect(request.topicId))
    const threadId = isThreadless ? undefined : (request.parentId ?? request.messageId)
    const thread = threadId ?? request.topicId
    await inOrder(thread, async () => {
      stopping.signal.throwIfAborted()
      if (state.turns.get(request.messageId)) return // given to the agent already
      try {
        await runTurn(request, thread, threadId)
      } catch (error) {
        if (isPassing(error) || stopping.signal.aborted) throw error
        log(`message ${request.messageId} is not answered: ${describe(error)}`)
        if (isSpent(error)) await showRefusal(request)
      }
    })
  }

  /** A reaction counts in no budget: it shows that the message was seen, and gets no answer. */
  const showRefusal = ({ messageId }: AgentRequest) =>
    parley.addReaction({ params: { messageId }, body: { reaction: '🚫' } }).then(
      () => {},
      (error: unknown) => log(`nor can it be shown: ${Object(error).message}`),
    )

  async function runTurn(request: AgentRequest, thread: string, threadId: string | undefined) {
    const { messageId, topicId, senderId } = request
    const place: Place = { topicId, ...(threadId !== undefined && { parentId: threadId }) }
    const turn = { topicId, answers: [] as string[], questions: [] as string[], isDone: false }
    const ending = new AbortController()
    let isGiven = false
    const answer = await openAnswer({
      parley,
      place,
      key: `agent:${messageId}`,
      log,
      onStop: () => ending.abort('person' satisfies Reason),
      onMessage: async (id) => {
        turn.answers.push(id)
        if (isGiven) await state.turns.set(messageId, turn)
      },
    })
    const stop = () => ending.abort('program' satisfies Reason)
    stopping.signal.addEventListener('abort', stop, { once: true })
    try {
      if (options.askers && !options.askers.has(senderId)) {
        await answer.end('You may not give this agent work. Ask the person who runs it.')
      } else {
        const agent = await agentFor(answer, ending.signal)
        if (!agent) return
        const work = await folderFor(topicId)
        const { sessionId, seen } = await sessionFor(agent, thread, work)
        const blocks = await promptFor(request, { threadId, seen })
        if (blocks.length === 0) {
          await answer.end(`Write what to do behind the name of ${me.name}.`)
        } else {
          // From here on the agent may have acted: nothing gives it this request again.
          isGiven = true
          await state.turns.set(messageId, turn)
          await state.sessions.set(thread, { sessionId, seen: messageId })
          await giveToAgent({
            agent,
            sessionId,
            blocks,
            answer,
            request,
            place,
            work,
            turn,
            thread,
            ending: ending.signal,
          })
        }
      }
      await state.turns.set(messageId, { ...turn, isDone: true })
    } catch (error) {
      if (!isGiven && (stopping.signal.aborted || isPassing(error))) throw error // it comes again
      log(`message ${messageId} is not answered: ${describe(error)}`)
      await answer.end(sentenceFor(error), true)
      await state.turns.set(messageId, { ...turn, isDone: true })
    } finally {
      stopping.signal.removeEventListener('abort', stop)
    }
  }

  /** The agent that runs; undefined where a person has stopped waiting for it. */
  async function agentFor(answer: Answer, ending: AbortSignal): Promise<RunningAgent | undefined> {
    const wait = AbortSignal.timeout(START_MS)
    try {
      return await keeper().running(AbortSignal.any([ending, wait]))
    } catch (error) {
      if (ending.aborted && ending.reason === 'person') {
        await answer.end()
        return undefined
      }
      throw wait.aborted ? new AgentGone() : error
    }
  }

  /** The session of a thread: the one that the agent has open, or loads, or else a new one. */
  async function sessionFor(
    agent: RunningAgent,
    thread: string,
    cwd: string,
  ): Promise<{ sessionId: string; seen: string | undefined }> {
    const { context, capabilities, sessions } = agent
    const kept = state.sessions.get(thread)
    if (kept && sessions.has(kept.sessionId)) return kept
    if (kept) {
      const given = { sessionId: kept.sessionId, cwd, mcpServers: [] }
      try {
        if (capabilities.sessionCapabilities?.resume) await context.request('session/resume', given)
        else if (capabilities.loadSession) await context.request('session/load', given)
        else throw new Error('the agent keeps no sessions')
        sessions.add(kept.sessionId)
        return kept
      } catch (error) {
        if (agent.ended.aborted) throw new AgentGone()
        log(`a thread goes on in a new session: ${describe(error)}`)
      }
    }
    const { sessionId } = await context.request('session/new', { cwd, mcpServers: [] })
    sessions.add(sessionId)
    return { sessionId, seen: undefined }
  }

  async function promptFor(
    { messageId, topicId, text, attachments }: AgentRequest,
    { threadId, seen }: { threadId: string | undefined; seen: string | undefined },
  ): Promise<ContentBlock[]> {
    // A command must be the first that the agent reads.
    const earlier = text.startsWith('/')
      ? undefined
      : await earlierTexts(parley, { topicId, threadId, before: messageId, after: seen, me: me.id })
    return [
      ...(earlier === undefined
        ? []
        : [{ type: 'text' as const, text: `Said in this conversation before:\n\n${earlier}` }]),
      ...(text === '' ? [] : [{ type: 'text' as const, text }]),
      ...attachments.map(({ name, url, contentType }) => ({
        type: 'resource_link' as const,
        name: name ?? 'file',
        uri: url,
        mimeType: contentType,
      })),
    ]
  }

  type Given = {
    agent: RunningAgent
    sessionId: string
    blocks: ContentBlock[]
    answer: Answer
    request: AgentRequest
    place: Place
    work: string
    turn: { questions: string[] }
    thread: string
    ending: AbortSignal
  }

  async function giveToAgent({ agent, sessionId, answer, ending, thread, ...given }: Given): Promise<void> {
    const steps = createSteps(given.work)
    const over = new AbortController()
    const turnEnd = AbortSignal.any([ending, over.signal, agent.ended])
    running.set(sessionId, {
      folder: given.work,
      take: takerOf(answer, steps),
      permit: permitterOf({ ...given, answer, steps, turnEnd }),
    })
    const prompted = agent.context.request('session/prompt', { sessionId, prompt: given.blocks })
    prompted.catch(() => {}) // it may end after the answer
    try {
      const response = await Promise.race([prompted, cancelled(agent, sessionId, ending)])
      await new Promise((resolve) => setImmediate(resolve)) // updates that came with the response
      if (response === undefined) {
        agent.sessions.delete(sessionId)
        await state.sessions.delete(thread)
        log(`the agent did not end a turn that was stopped; the thread goes on in a new session`)
      }
      over.abort()
      running.delete(sessionId)
      await reportTokens(response)
      const isStopped = ending.aborted || response?.stopReason === 'cancelled'
      if (isStopped) steps.breakOff()
      if (steps.shown.length > 0) answer.show(() => ({ steps: steps.shown }))
      if (ending.reason === ('program' satisfies Reason)) await answer.end(CLOSING.program, true)
      else await answer.end(...closingFor(response?.stopReason, answer.isEmpty))
    } catch (error) {
      over.abort()
      running.delete(sessionId)
      steps.breakOff()
      if (steps.shown.length > 0) answer.show(() => ({ steps: steps.shown }))
      agent.sessions.delete(sessionId) // it may have lost the session: the next request loads it, or begins another
      throw agent.ended.aborted ? new AgentGone() : error
    }
  }

  /** Cancels the turn when it is to end. Resolves with nothing if the agent goes on all the same. */
  async function cancelled(agent: RunningAgent, sessionId: string, ending: AbortSignal): Promise<undefined> {
    if (!ending.aborted)
      await new Promise((resolve) => ending.addEventListener('abort', resolve, { once: true }))
    await agent.context.notify('session/cancel', { sessionId })
    await sleep(CANCEL_MS, undefined, { ref: false })
    return undefined
  }

  function permitterOf({
    answer,
    steps,
    request,
    place,
    work,
    turn,
    turnEnd,
  }: Pick<Given, 'answer' | 'request' | 'place' | 'work' | 'turn'> & { steps: Steps; turnEnd: AbortSignal }) {
    let before: Promise<unknown> = Promise.resolve()
    let count = 0
    const permit = async (asked: RequestPermissionRequest): Promise<RequestPermissionResponse> => {
      count += 1
      const key = `agent:${request.messageId}:${count}`
      steps.call(asked.toolCall)
      answer.show(() => ({ steps: steps.shown, activity: 'waits for an approval' }))
      const { response, note } = await askPermission(asked, {
        parley,
        approvers: options.approvers,
        request,
        place,
        folder: work,
        key,
        signal: turnEnd,
        now: Date.now,
        onAsked: async (id) => {
          turn.questions.push(id)
          const kept = state.turns.get(request.messageId)
          if (kept) await state.turns.set(request.messageId, { ...kept, questions: turn.questions })
        },
      })
      if (note !== undefined) answer.append(`\n\n_${note}_\n\n`)
      answer.show(() => ({ steps: steps.shown }))
      return response
    }
    // One question after the other: two at once would read as one.
    return (asked: RequestPermissionRequest) => {
      const asking = before.then(() => permit(asked))
      before = asking.catch(() => {})
      return asking
    }
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
    answer,
    isDirect,

    update({ sessionId, update }) {
      if (update.sessionUpdate === 'available_commands_update') options.commands.add(update.availableCommands)
      else running.get(sessionId)?.take(update)
    },

    async permit(request) {
      const turn = running.get(request.sessionId)
      return turn ? turn.permit(request) : { outcome: { outcome: 'cancelled' } }
    },

    folderOf(sessionId) {
      const turn = running.get(sessionId)
      if (!turn) throw RequestError.invalidParams(undefined, 'no answer of this session is under way')
      return turn.folder
    },

    async endBrokenOff() {
      for (const [messageId, turn] of state.turns.entries()) {
        if (turn.isDone) continue
        for (const id of turn.questions) await withdraw(parley, id)
        const last = turn.answers.at(-1)
        if (last !== undefined) await endMessage(parley, last)
        await state.turns.set(messageId, { ...turn, isDone: true })
      }
    },

    stop: () => stopping.abort(new Error('the program ends')),
  }
}

/** The agent has ended, and could not be started again in time. */
class AgentGone extends Error {
  override message = 'the agent has ended'
}

const CLOSING = {
  program:
    'This answer was broken off: the program that runs the agent was ended. Mention it again to go on.',
  gone: 'This answer was broken off: the agent ended unexpectedly. Mention it again to go on.',
  signIn: 'The agent is not signed in. Sign it in on the machine that it runs on.',
  failed: 'The agent could not answer. The log of the program that runs it says why.',
}

/** Whether the server may take it in a while: it is away, or asks to wait. */
const isPassing = (error: unknown): boolean =>
  error instanceof ParleyError
    ? (error.status === 429 && !isSpent(error)) || error.status >= 500
    : error instanceof TypeError && error.message === 'fetch failed'
const isSpent = (error: unknown) => error instanceof ParleyError && error.code === 'bot_budget_spent'

function sentenceFor(error: unknown): string {
  if (error instanceof AgentGone) return CLOSING.gone
  return Object(error).code === AUTH_REQUIRED ? CLOSING.signIn : CLOSING.failed
}

const describe = (error: unknown): string => {
  const { message, code, data } = Object(error)
  const details = data === undefined ? '' : ` ${JSON.stringify(data)}`.slice(0, 1000)
  return `${message ?? error}${typeof code === 'number' ? ` (${code})` : ''}${details}`
}

function closingFor(reason: string | undefined, isEmpty: boolean): [closing?: string, isFailed?: boolean] {
  if (reason === 'max_tokens')
    return ['The answer ends here: it has as many tokens as the agent may use.', true]
  if (reason === 'max_turn_requests')
    return ['The answer ends here: the agent has asked its model too often.', true]
  if (reason === 'refusal') return ['The agent refused to answer.', true]
  if (reason === 'cancelled' && isEmpty) return ['Cancelled.', true]
  return isEmpty ? ['Done, without a text.'] : []
}

function takerOf(answer: Answer, steps: Steps): (update: SessionUpdate) => void {
  let isResumed = false
  const showSteps = () => {
    isResumed = !answer.isEmpty
    answer.show(() => ({ steps: steps.shown }))
  }
  return (update) => {
    if (update.sessionUpdate === 'agent_message_chunk') {
      const text = textIn(update.content)
      if (text === '') return
      // What is said after a tool was used begins a paragraph.
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

/** Ends a message that nobody writes any more, with a sentence behind what is there. */
async function endMessage(parley: Client, messageId: string): Promise<void> {
  const params = { messageId }
  try {
    await parley.appendToMessage({ params, body: { text: `\n\n_${CLOSING.program}_` } })
    await parley.finishMessage({ params, body: { status: 'failed' } })
  } catch (error) {
    if (!(error instanceof ParleyError)) throw error
    // It has ended without this program: by its silence, or by a person.
    const message = await parley.readMessage({ params }).catch(() => undefined)
    if (message?.stream?.status === 'interrupted')
      await parley
        .editMessage({ params, body: { text: `${message.text}\n\n_${CLOSING.program}_` } })
        .catch(() => {}) // its topic is archived, or it is too long
  }
}
