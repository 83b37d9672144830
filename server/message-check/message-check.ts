import { LIMITS } from '../../contract/limits.ts'
import type { MessageCheck as Settings } from '../../contract/people/message-check.ts'
import { isBotId } from '../../contract/profile-ids.ts'
import { checkSecretContext, noteCheckFault } from '../actions/organization/message-checks.ts'
import type { Config } from '../config.ts'
import type { Clock, Database } from '../db/database.ts'
import { newUuid } from '../ids.ts'
import type { Log } from '../log.ts'
import type { GuardOptions } from '../network/guard.ts'
import { buildRequest } from '../presenters/webhook-requests.ts'
import { type MessageCheckRow, readMessageCheck } from '../queries/organization/message-checks.ts'
import type { Secrets } from '../secrets.ts'
import type { AskAboutTexts, CheckedTexts, TextQuestion, Verdict } from '../text-check.ts'
import { post, STOPPING } from '../webhooks/call.ts'
import { WaysOut } from '../webhooks/ways-out.ts'
import { readVerdicts } from './verdicts.ts'

type Parts = { config: Config; db: Database; secrets: Secrets; clock: Clock; log: Log }
type Fault = NonNullable<Settings['fault']>

/** Gathers texts for so long while a request of their organization is under way, and asks about them together. */
const GATHER_MS = 10
/** Requests of an organization under way on this node. What comes beyond waits, for as long as it may wait in all. */
const MAX_UNDERWAY = 64
/** Bytes of an answer for each text: it may mask all of it, with every character escaped. */
const ANSWER_BYTES = 128 * 1024
/** A fault that goes on is written down at most so often by a node. */
const NOTE_AGAIN_MS = 10_000
const MAX_NOTED = 10_000

type Waiting = {
  questions: readonly TextQuestion[]
  until: number
  resolve(checked: CheckedTexts): void
  reject(error: unknown): void
}
type Line = { waiting: Waiting[]; underway: number; timer: NodeJS.Timeout | undefined }

/** The outcome of one request: a verdict for each text, or why there are none. */
export type Checked = { verdicts: readonly Verdict[] } | { fault: Fault }

/**
 * Asks the programs of organizations about texts. Each organization has a line of its own, and no text waits for another one's request:
 * the first goes out at once, and those that come during it are gathered for some milliseconds.
 */
export class MessageCheck {
  /** The time that a program has. Tests on a busy machine give more. */
  limitMs: number = LIMITS.messageCheckMs
  readonly #parts: Parts
  readonly #waysOut: WaysOut
  readonly #lines = new Map<string, Line>()
  readonly #calls = new Set<AbortController>()
  readonly #noted = new Map<string, number>()

  constructor(parts: Parts, options: GuardOptions = {}) {
    this.#parts = parts
    this.#waysOut = new WaysOut(parts.config, options)
  }

  readonly ask: AskAboutTexts = (orgId, questions) =>
    new Promise((resolve, reject) => {
      const line = this.#lines.get(orgId) ?? { waiting: [], underway: 0, timer: undefined }
      this.#lines.set(orgId, line)
      line.waiting.push({ questions, until: performance.now() + this.limitMs, resolve, reject })
      if (line.underway === 0) this.#start(orgId, line)
      else this.#startSoon(orgId, line)
    })

  /** Asks about a text that is only a test. */
  async test(
    orgId: string,
    row: MessageCheckRow,
    text: string,
    asked: Omit<TextQuestion, 'text'>,
  ): Promise<Checked> {
    return this.#request(orgId, row, [{ ...asked, text }], this.limitMs)
  }

  async close(): Promise<void> {
    for (const { timer } of this.#lines.values()) clearTimeout(timer)
    for (const call of this.#calls) call.abort(STOPPING)
    await this.#waysOut.destroy()
  }

  #startSoon(orgId: string, line: Line): void {
    line.timer ??= setTimeout(() => {
      line.timer = undefined
      this.#start(orgId, line)
    }, GATHER_MS)
  }

  #start(orgId: string, line: Line): void {
    while (line.waiting.length > 0 && line.underway < MAX_UNDERWAY) {
      const batch = takeBatch(line.waiting)
      line.underway += 1
      void this.#answer(orgId, batch).finally(() => {
        line.underway -= 1
        if (line.waiting.length > 0) this.#startSoon(orgId, line)
        else if (line.underway === 0) this.#lines.delete(orgId)
      })
    }
  }

  async #answer(orgId: string, batch: readonly Waiting[]): Promise<void> {
    try {
      const row = await readMessageCheck({ orgId }, this.#parts.db)
      const questions = batch.flatMap((one) => one.questions)
      const limitMs = Math.min(...batch.map(({ until }) => until)) - performance.now()
      const verdicts = row
        ? await this.#verdictsOf(orgId, row, questions, limitMs)
        : questions.map(() => ALLOWED)
      let place = 0
      for (const { questions: own, resolve } of batch) {
        const given = verdicts.slice(place, place + own.length)
        place += own.length
        resolve({
          version: row?.setAt ?? 0,
          verdicts: new Map(own.map(({ text }, index) => [text, given[index] ?? AWAY])),
        })
      }
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }

  async #verdictsOf(
    orgId: string,
    row: MessageCheckRow,
    questions: readonly TextQuestion[],
    limitMs: number,
  ): Promise<readonly Verdict[]> {
    const checked = await this.#request(orgId, row, questions, limitMs)
    const fault = 'fault' in checked ? checked.fault : undefined
    this.#note(orgId, row, fault)
    return 'fault' in checked
      ? questions.map(() => (row.whenAway === 'send' ? ALLOWED : AWAY))
      : checked.verdicts
  }

  async #request(
    orgId: string,
    row: MessageCheckRow,
    questions: readonly TextQuestion[],
    limitMs: number,
  ): Promise<Checked> {
    const { config, db, secrets, clock } = this.#parts
    if (limitMs <= 0) return faultOf('timeout', 'too many texts wait for an answer')
    const wayOut = (await this.#waysOut.read(db))(orgId)
    const mistake = wayOut.mistakeIn(row.address)
    if (mistake !== undefined) return faultOf('blocked', mistake)
    const sentAt = clock()
    const id = newUuid()
    const request = await buildRequest(
      {
        eventId: id,
        type: 'messages.check',
        createdAt: sentAt,
        data: JSON.stringify({ texts: questions.map(presented) }),
      },
      {
        deliveryId: id,
        secret: secrets.decrypt(row.secret, checkSecretContext(orgId)),
        sentAt,
        gzip: false,
        headerPrefix: config.webhookHeaderPrefix,
      },
    )
    const call = new AbortController()
    this.#calls.add(call)
    try {
      const attempt = await post(wayOut.agent, new URL(row.address), request, {
        limitMs,
        call,
        answerBytes: ANSWER_BYTES * questions.length,
      })
      if (!attempt) return faultOf('refused', 'the server stops')
      const { outcome, status, error, answer = '' } = attempt
      if (outcome !== 'ok') return faultOf(outcome, error ?? `the answer was ${status}`)
      const read = readVerdicts(answer, questions.length)
      return 'mistake' in read ? faultOf('answer', read.mistake) : { verdicts: read }
    } finally {
      this.#calls.delete(call)
    }
  }

  /** Writes down that the program went away, or is back. */
  #note(orgId: string, row: MessageCheckRow, fault: Fault | undefined): void {
    if (!fault && row.failingSince === null) return
    const { clock, db, log } = this.#parts
    const now = clock()
    if (fault && now - (this.#noted.get(orgId) ?? 0) < NOTE_AGAIN_MS) return
    if (this.#noted.size >= MAX_NOTED) this.#noted.clear()
    if (fault) this.#noted.set(orgId, now)
    else this.#noted.delete(orgId)
    if (fault && row.failingSince === null)
      log.warn({ orgId, fault: fault.kind }, 'the program that checks messages does not answer')
    noteCheckFault(db, { orgId, setAt: row.setAt, now, fault }).catch((error: unknown) =>
      log.warn({ err: error, orgId }, 'a failing message check could not be written down'),
    )
  }
}

const ALLOWED: Verdict = { verdict: 'allow' }
const AWAY: Verdict = { verdict: 'away' }
const MAX_DETAIL = 500
const faultOf = (kind: Fault['kind'], detail: string): Checked => ({
  fault: { kind, detail: detail.slice(0, MAX_DETAIL) },
})

/** Takes as many as fit into a request; a single one always does. */
function takeBatch(waiting: Waiting[]): Waiting[] {
  let texts = 0
  const end = waiting.findIndex(({ questions }, place) => {
    texts += questions.length
    return place > 0 && texts > LIMITS.messageCheckTexts
  })
  return waiting.splice(0, end === -1 ? waiting.length : end)
}

const presented = ({ kind, topicId, senderId, assistant, text }: TextQuestion, index: number) => ({
  id: String(index + 1),
  kind,
  topicId,
  senderId,
  senderType: isBotId(senderId) ? 'bot' : 'user',
  ...(assistant !== undefined && { assistant }),
  text,
})
