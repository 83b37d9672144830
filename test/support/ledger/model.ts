import { textOf } from '../../../contract/refusals/index.ts'

/** Time after its acknowledgement within which a change takes effect everywhere. */
const GRACE_MS = 1000

/** The time from before a request was sent until after its answer came. */
export type Span = { from: number; to: number }

type Change = { value: boolean; sentAt: number; acknowledgedAt: number }

/** A boolean state that requests change. */
export class Fact {
  readonly #changes: Change[]

  constructor(value: boolean) {
    this.#changes = [{ value, sentAt: Number.NEGATIVE_INFINITY, acknowledgedAt: Number.NEGATIVE_INFINITY }]
  }

  /** The value of the last change, even of a running one. */
  get last(): boolean {
    return this.#changes.at(-1)?.value ?? false
  }

  /** Changes the value. While `request` runs, and for good if it fails, both values are possible. */
  async change(value: boolean, request: () => Promise<unknown>): Promise<void> {
    const change = { value, sentAt: Date.now(), acknowledgedAt: Number.POSITIVE_INFINITY }
    this.#changes.push(change)
    await request()
    change.acknowledgedAt = Date.now()
  }

  /** Values that may have been in force at some time of this span. */
  during({ from, to }: Span): Set<boolean> {
    const possible = new Set<boolean>()
    for (const { value, sentAt, acknowledgedAt } of this.#changes.toReversed()) {
      if (sentAt > to) continue
      possible.add(value)
      if (acknowledgedAt + GRACE_MS < from) break
    }
    return possible
  }
}

/** The facts that decide about a message. */
export type Circumstances = {
  isPaused: Fact
  isMember: Fact
  isArchived: Fact
  areBotsStopped: Fact
  /** Whether a word of the text is blocked. */
  isBlocked?: Fact | undefined
  /** Whether the mentioned bot is in the topic. */
  isMentionedMember?: Fact | undefined
}

export const ACCEPTED = '201'
export const REFUSALS = {
  paused: `403 ${JSON.stringify(textOf('bot_paused'))}`,
  stranger: '404 "Topic not found"',
  archived: `403 ${JSON.stringify(textOf('topic_archived'))}`,
  stopped: `403 ${JSON.stringify(textOf('bots_stopped'))}`,
  blocked: `400 ${JSON.stringify(textOf('word_blocked'))}`,
  mention: '400 "Invalid mention"',
}

/** Each fact with the value that refuses a message, in the order in which a server looks at them. */
const RULES: readonly { fact: keyof Circumstances; refusing: boolean; answer: string }[] = [
  { fact: 'isPaused', refusing: true, answer: REFUSALS.paused },
  { fact: 'isMember', refusing: false, answer: REFUSALS.stranger },
  { fact: 'isArchived', refusing: true, answer: REFUSALS.archived },
  { fact: 'areBotsStopped', refusing: true, answer: REFUSALS.stopped },
  { fact: 'isBlocked', refusing: true, answer: REFUSALS.blocked },
  { fact: 'isMentionedMember', refusing: false, answer: REFUSALS.mention },
]

/** The right answers to a message of this time: several while something changes. */
export function rightAnswers(circumstances: Circumstances, span: Span): string[] {
  const answers: string[] = []
  for (const { fact, refusing, answer } of RULES) {
    const values = circumstances[fact]?.during(span)
    if (values?.has(refusing)) answers.push(answer)
    if (values?.has(!refusing) === false) return answers
  }
  return [...answers, ACCEPTED]
}

/** Counts answers that were right, and those that were not, by what was answered instead of what. */
export class Judge {
  readonly wronglyRefused = new Map<string, number>()
  readonly wronglyLetThrough = new Map<string, number>()
  /** Refusals that were the only right answer, by text. */
  readonly rightlyRefused = new Map<string, number>()
  /** Answers to messages of which only one answer was right. */
  certain = 0
  /** Answers to messages sent during a change. */
  uncertain = 0

  judge(circumstances: Circumstances, span: Span, answer: string): void {
    const right = rightAnswers(circumstances, span)
    if (right.length === 1) this.certain += 1
    else this.uncertain += 1
    if (!right.includes(answer))
      count(
        answer === ACCEPTED ? this.wronglyLetThrough : this.wronglyRefused,
        `${answer} instead of ${right.join(' or ')}`,
      )
    else if (right.length === 1 && answer !== ACCEPTED) count(this.rightlyRefused, answer)
  }
}

const count = (counts: Map<string, number>, name: string): void => {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}
