import { TemporaryRefusal } from './errors.ts'

/** The thing that a text is part of: the program that checks texts may treat them differently. */
export type TextKind = 'message' | 'edit' | 'forward' | 'private_answer' | 'progress' | 'poll' | 'task'

/** A text that an organization's program is asked about before people and bots see it. */
export type TextQuestion = {
  kind: TextKind
  topicId: string
  senderId: string
  /** The name of the assistant that wrote it for its sender. */
  assistant?: string
  text: string
}

/** `away`: the program did not answer, and the organization lets nothing pass then. */
export type Verdict =
  | { verdict: 'allow' | 'away' }
  | { verdict: 'refuse' | 'hold'; reason: string }
  | { verdict: 'mask'; text: string }

/** Verdicts by their text. They are of one version of the organization's settings, and count for one request. */
export type CheckedTexts = { readonly version: number; readonly verdicts: ReadonlyMap<string, Verdict> }

export const NOTHING_CHECKED: CheckedTexts = { version: 0, verdicts: new Map() }

/** Lets any text pass: a person has reviewed it. */
export const REVIEWED: CheckedTexts = { version: Number.POSITIVE_INFINITY, verdicts: new Map() }

/** Asks about the texts of an organization, outside of any transaction. */
export type AskAboutTexts = (orgId: string, questions: readonly TextQuestion[]) => Promise<CheckedTexts>

/**
 * A transaction has come upon texts without a verdict. An organization cannot wait for another program while it is locked, so the work is
 * undone, the program asked, and the work begun again with its answer: rights are checked by the transaction that commits.
 */
export class UncheckedTexts extends Error {
  readonly questions: readonly TextQuestion[]

  constructor(questions: readonly TextQuestion[]) {
    super('texts have to be checked first')
    this.questions = questions
  }
}

/** A message that waits for a person's review. Operations that cannot keep it answer with this refusal. */
export class HeldForReview extends TemporaryRefusal {
  readonly reason: string

  constructor(reason: string) {
    super('message_held', { values: { reason } })
    this.reason = reason
  }
}

/** The refusal while the program is away. The sender may try again. */
export const checkAway = (): TemporaryRefusal =>
  new TemporaryRefusal('message_check_away', { headers: { 'Retry-After': '1' } })

/** Verdicts of two rounds of one request; those of other settings are dropped. */
export function joinChecked(former: CheckedTexts, later: CheckedTexts): CheckedTexts {
  if (former.version !== later.version) return later
  return { version: later.version, verdicts: new Map([...former.verdicts, ...later.verdicts]) }
}
