import { LIMITS } from '../../contract/limits.ts'

/** Parts of one long message: places that an id leaves free between two of the same millisecond. */
export const MAX_PARTS = 4

export const cleanText = (text: string): string => text.replaceAll('\0', '').toWellFormed().trim()

/** A text in pieces that messages can hold; the last one is cut where a text is longer than all of them together. */
export function partsOf(text: string): string[] {
  if (text.length <= LIMITS.messageText) return [text]
  const points = Array.from(text)
  const parts: string[] = []
  for (let start = 0; start < points.length && parts.length < MAX_PARTS; start += LIMITS.messageText)
    parts.push(points.slice(start, start + LIMITS.messageText).join(''))
  return parts
}
