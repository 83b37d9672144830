import type { Caller } from '../../caller.ts'
import type { Transaction } from '../../db/transaction.ts'
import { Refusal, refusal } from '../../errors.ts'
import { blockedWordsOf, hasBlockedWord } from '../../limits/blocked-words.ts'
import { readTextRules, type TextRules } from '../../queries/topics/topics.ts'
import {
  checkAway,
  HeldForReview,
  type TextKind,
  type TextQuestion,
  UncheckedTexts,
} from '../../text-check.ts'

export type Checking = {
  /** The thing that the texts are part of; `message` by default. */
  kind?: TextKind
  /** A text that is written as `maskedIn` gives it. Any other is refused where its organization wants it masked. */
  maskable?: string | undefined
  /** Whether what is held for a review can wait for it: `wait`; or is decided on later: `pass`. Otherwise it is refused. */
  held?: 'wait' | 'pass'
}

type Topic = TextRules & { id: string }

/** Refuses texts that the topic's organization does not allow: those with a blocked word, and what its message check turns down. */
export function refuseTexts(
  tx: Transaction,
  caller: Caller,
  topic: Topic,
  written: readonly (string | undefined)[],
  checking: Checking = {},
): void {
  const blocked = blockedWordsOf(topic.blocked_words)
  if (blocked && written.some((text) => text !== undefined && hasBlockedWord(blocked, text)))
    throw refusal('word_blocked')
  if (topic.message_check !== null) refuseUnchecked(tx, caller, topic, written, checking)
}

function refuseUnchecked(
  { checked: { version, verdicts } }: Transaction,
  { profileId, assistant }: Caller,
  topic: Topic,
  written: readonly (string | undefined)[],
  { kind = 'message', maskable, held }: Checking,
): void {
  if (version === Number.POSITIVE_INFINITY) return
  const texts = [...new Set(written)].filter((text) => text !== undefined && text.trim() !== '') as string[]
  const isKnown = (text: string) => version === topic.message_check && verdicts.has(text)
  const unknown = texts.filter((text) => !isKnown(text))
  if (unknown.length > 0)
    throw new UncheckedTexts(
      unknown.map((text): TextQuestion => {
        const question = { kind, topicId: topic.id, senderId: profileId, text }
        return assistant ? { ...question, assistant: assistant.name } : question
      }),
    )
  for (const text of texts) {
    const answer = verdicts.get(text) ?? { verdict: 'away' }
    if (answer.verdict === 'away') throw checkAway()
    if (answer.verdict === 'refuse') throw refusal('message_refused', { reason: answer.reason })
    const isMaskable = text === maskable && written.indexOf(text) === written.lastIndexOf(text)
    if (answer.verdict === 'mask' && !isMaskable) throw refusal('message_refused', { reason: NOT_MASKABLE })
    if (answer.verdict !== 'hold' || held === 'pass') continue
    if (held === 'wait') throw new HeldForReview(answer.reason)
    throw refusal('message_held', { reason: answer.reason })
  }
}

const NOT_MASKABLE = 'a part of it is not allowed'

/**
 * The text of a message that a person or the server ends for its bot. The bot gets no refusal, so a text that may not be sent is dropped.
 * Words that are blocked were refused as it grew.
 */
export async function textLeft(
  tx: Transaction,
  { sender_id: profileId, topic_id: topicId }: { sender_id: string; topic_id: string },
  text: string,
): Promise<string> {
  const topic = await readTextRules(tx, tx, topicId)
  try {
    if (topic)
      refuseTexts(tx, { orgId: tx.orgId, profileId }, { ...topic, blocked_words: null }, [text], {
        maskable: text,
      })
  } catch (error) {
    if (error instanceof Refusal) return ''
    throw error
  }
  return maskedIn(tx, text)
}

/** The text as it is written: what the organization's message check puts in its place, or the text itself. */
export function maskedIn({ checked }: Transaction, text: string): string {
  const answer = checked.verdicts.get(text)
  return answer?.verdict === 'mask' ? answer.text : text
}
