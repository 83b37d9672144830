import { ParleyError } from '../sdk/index.ts'
import type { AgentKeeper, RunningAgent } from './agent-process.ts'
import { type Answer, openAnswer, type Place } from './answer.ts'
import { AgentGone, describe, isPassing, isSpent, PROGRAM_ENDED, sentenceFor } from './closing.ts'
import type { Ending, Exchanges } from './exchanges.ts'
import type { AgentRequest, BotParts } from './parts.ts'
import { withdraw } from './permissions.ts'
import { folderFor, promptFor, sessionFor } from './sessions.ts'

/** A mention waits this long for an agent that is being started again. */
const START_MS = 120_000
/** Topics of which is remembered whether they are direct messages. */
const MAX_TOPICS = 1000

/** Requests of people, each until its answer has ended. */
export type Turns = {
  /** Answers a request. Rejects where it must be tried again later. */
  answer(request: AgentRequest): Promise<void>
  /** Whether a message without a mention is for the bot, too. */
  isDirect(topicId: string): Promise<boolean>
  /** Ends answers that a killed program has left behind. */
  endBrokenOff(): Promise<void>
  /** Cancels what is under way, and takes nothing more. */
  stop(): void
}

export function createTurns(parts: BotParts, exchanges: Exchanges, keeper: AgentKeeper): Turns {
  const { parley, me, state, askers, log } = parts
  const stopping = new AbortController()
  /** The end of the newest request of each thread: one at a time. */
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
    if (direct.size >= MAX_TOPICS) direct.clear()
    direct.set(topicId, known)
    return known
  }

  /** Waits for the request before in the same thread. */
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

  async function runTurn(request: AgentRequest, thread: string, threadId: string | undefined): Promise<void> {
    const { messageId, topicId, senderId } = request
    const place: Place = { topicId, ...(threadId !== undefined && { parentId: threadId }) }
    const turn = { answers: [] as string[], questions: [] as string[], isDone: false }
    const keep = () => state.turns.set(messageId, turn)
    const ending = new AbortController()
    let isGiven = false
    const answer = await openAnswer({
      parley,
      place,
      key: `agent:${messageId}`,
      log,
      onStop: () => ending.abort('person' satisfies Ending),
      onMessage: async (id) => {
        turn.answers.push(id)
        if (isGiven) await keep()
      },
    })
    const stop = () => ending.abort('program' satisfies Ending)
    stopping.signal.addEventListener('abort', stop, { once: true })
    if (stopping.signal.aborted) stop()
    try {
      if (askers && !askers.has(senderId)) {
        await answer.end('You may not give this agent work. Ask the person who runs it.')
      } else {
        const agent = await agentFor(answer, ending.signal)
        if (!agent) {
          turn.isDone = true
          await keep()
          return
        }
        const work = await folderFor(parts, topicId)
        const session = await sessionFor(parts, agent, thread, work)
        const blocks = await promptFor(parts, request, threadId, session)
        if (blocks.length === 0) {
          await answer.end(`Write what to do behind the name of ${me.name}.`)
        } else {
          // The agent may act from here on, so it never gets this request again.
          isGiven = true
          await keep()
          const { sessionId } = session
          await state.sessions.set(thread, { sessionId, seen: messageId })
          const onQuestion = (id: string) => {
            turn.questions.push(id)
            return keep()
          }
          const given = { agent, sessionId, blocks, answer, request, place, thread, work, onQuestion }
          await exchanges.give({ ...given, ending: ending.signal })
        }
      }
    } catch (error) {
      if (!isGiven && (stopping.signal.aborted || isPassing(error))) {
        await answer.leave()
        throw error // it comes again
      }
      log(`message ${messageId} is not answered: ${describe(error)}`)
      await answer.end(sentenceFor(error), true)
    } finally {
      stopping.signal.removeEventListener('abort', stop)
    }
    turn.isDone = true
    await keep()
  }

  /** The agent that runs; undefined where a person has stopped waiting for it. */
  async function agentFor(answer: Answer, ending: AbortSignal): Promise<RunningAgent | undefined> {
    const wait = AbortSignal.timeout(START_MS)
    try {
      return await keeper.running(AbortSignal.any([ending, wait]))
    } catch (error) {
      if (ending.aborted && ending.reason === ('person' satisfies Ending)) {
        await answer.end()
        return undefined
      }
      throw wait.aborted ? new AgentGone() : error
    }
  }

  return {
    answer,
    isDirect,

    async endBrokenOff() {
      for (const [messageId, turn] of state.turns.entries()) {
        if (turn.isDone) continue
        for (const id of turn.questions) await withdraw(parley, id)
        const last = turn.answers.at(-1)
        if (last !== undefined) await endMessage(last)
        await state.turns.set(messageId, { ...turn, isDone: true })
      }
    },

    stop: () => stopping.abort(new Error('the program ends')),
  }

  /** Ends a message of a killed program, with a sentence behind its text. */
  async function endMessage(messageId: string): Promise<void> {
    const params = { messageId }
    try {
      await parley.appendToMessage({ params, body: { text: `\n\n_${PROGRAM_ENDED}_` } })
      await parley.finishMessage({ params, body: { status: 'failed' } })
    } catch (error) {
      if (!(error instanceof ParleyError)) throw error
      // The message has ended by its silence, or a person has stopped it.
      const message = await parley.readMessage({ params }).catch(() => undefined)
      if (message?.stream?.status !== 'interrupted') return
      const body = { text: `${message.text}\n\n_${PROGRAM_ENDED}_` }
      await parley.editMessage({ params, body }).catch((refusal: unknown) => {
        log(`an answer that was broken off stays as it is: ${Object(refusal).message}`)
      })
    }
  }
}
