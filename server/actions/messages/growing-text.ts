import { LIMITS } from '../../../contract/limits.ts'
import { type Refusal, refusal, tooMany } from '../../errors.ts'
import { type BlockedWords, blockedWordsOf, growsBlockedWord } from '../../limits/blocked-words.ts'
import { presentStreaming } from '../../presenters/streaming.ts'
import type { StreamingRow } from '../../queries/messages/streamed-messages.ts'

/** A message that this node holds while its bot writes it. */
export type Held = {
  orgId: string
  row: StreamingRow
  text: string
  /** Length in code points. */
  length: number
  version: number
  lastKey: string | null
  touchedAt: number
  /** Length of the text shown to people, in UTF-16 units; smaller after a replacement. */
  shown: number
  isShown: boolean
  isSaved: boolean
  /** Appends in the current second. */
  budget: { second: number; left: number }
  blockedWords: BlockedWords | undefined
  /** Refuses further pieces: its bot has left the topic, or the topic is archived. */
  refusal: Refusal | undefined
  /** The text is being finished, or handed to another node. */
  leaving: Promise<unknown> | undefined
  /** The request whose body is being appended, if there is one. */
  writer: { stop(refusal?: Error): void; whenDropped(): void } | undefined
}

/** A message that this node takes from its row. */
export const heldFrom = (row: StreamingRow): Held => ({
  orgId: row.org_id,
  row,
  text: row.text,
  length: pointsIn(row.text),
  version: row.version,
  lastKey: row.last_key,
  touchedAt: row.touched_at,
  shown: row.text.length,
  isShown: true,
  isSaved: true,
  budget: { second: -1, left: 0 },
  blockedWords: blockedWordsOf(row.blocked_words),
  refusal:
    row.is_member === false
      ? refusal('message_not_found')
      : row.is_archived
        ? refusal('topic_archived')
        : undefined,
  leaving: undefined,
  writer: undefined,
})

/** Counts a request; refuses one too many within a second. */
export function spendAppend(held: Held): void {
  const second = Math.floor(performance.now() / 1000)
  if (held.budget.second !== second) held.budget = { second, left: LIMITS.appendsPerSecond }
  if (held.budget.left === 0) throw tooMany(1000)
  held.budget.left -= 1
}

/** Puts a text behind the others, or in place of all from `from` on; true where people have something new to see. */
export function growText(held: Held, text: string, from?: number): boolean {
  if (from !== undefined && from > held.length) throw refusal('stream_gap')
  const isInside = from !== undefined && from < held.length
  const start = isInside ? unitsOf(held.text, from) : held.text.length
  const length = (isInside ? from : held.length) + pointsIn(text)
  if (length > LIMITS.messageText) throw refusal('field_too_long', { field: 'text' })
  if (text === '' && !isInside) return false
  const longer = isInside ? held.text.slice(0, start) + text : held.text + text
  if (growsBlockedWord(held.blockedWords, longer, start)) throw refusal('word_blocked')
  held.text = longer
  held.length = length
  held.shown = Math.min(held.shown, start)
  held.isShown = false
  return true
}

/** Text that people have not been shown yet. */
export function pieceOf(held: Held) {
  held.version += 1
  const isHidden = held.row.message_check != null
  const piece = {
    messageId: held.row.id,
    version: held.version,
    ...(isHidden ? { from: 0, text: '' } : { from: held.shown, text: held.text.slice(held.shown) }),
    ...(held.version === 1 && { message: presentStreaming({ ...held.row, text: '' }) }),
  }
  held.shown = held.text.length
  held.isShown = true
  return piece
}

export function pointsIn(text: string): number {
  let count = 0
  for (const _point of text) count += 1
  return count
}

/** The start of the code point with this number, in UTF-16 units. */
function unitsOf(text: string, points: number): number {
  let units = 0
  let left = points
  for (const point of text) {
    if (left === 0) break
    units += point.length
    left -= 1
  }
  return units
}
