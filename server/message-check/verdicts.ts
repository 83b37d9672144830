import { LIMITS } from '../../contract/limits.ts'
import type { Verdict } from '../text-check.ts'

/** The reason where the program gives none. */
const NO_REASON = 'your organization does not allow it'

/** The verdicts of an answer in the order of the texts that were asked about, or what is wrong with it. */
export function readVerdicts(answer: string, count: number): Verdict[] | { mistake: string } {
  let body: unknown
  try {
    body = JSON.parse(answer)
  } catch {
    return { mistake: 'the answer is not JSON' }
  }
  const { verdicts }: { verdicts?: unknown } = Object(body)
  if (!Array.isArray(verdicts)) return { mistake: 'verdicts is missing' }
  const byId = new Map<unknown, unknown>(verdicts.map((one) => [Object(one).id, one]))
  const read: Verdict[] = []
  for (let number = 1; number <= count; number += 1) {
    const verdict = readVerdict(Object(byId.get(String(number))))
    if ('mistake' in verdict) return { mistake: `text ${number}: ${verdict.mistake}` }
    read.push(verdict)
  }
  return read
}

type Given = { verdict?: unknown; reason?: unknown; text?: unknown }

function readVerdict({ verdict, reason, text }: Given): Verdict | { mistake: string } {
  switch (verdict) {
    case 'allow':
      return { verdict }
    case 'refuse':
    case 'hold':
      return { verdict, reason: reasonOf(reason) }
    case 'mask':
      if (!isText(text)) return { mistake: `text must have 1 to ${LIMITS.messageText} characters` }
      return { verdict, text }
    case undefined:
      return { mistake: 'there is no verdict' }
    default:
      return { mistake: 'verdict must be allow, refuse, mask or hold' }
  }
}

const isText = (text: unknown): text is string =>
  typeof text === 'string' &&
  text.trim() !== '' &&
  [...text].length <= LIMITS.messageText &&
  !text.includes('\0') &&
  text.isWellFormed()

/** One line without hidden characters: people read it. */
function reasonOf(reason: unknown): string {
  const given = typeof reason === 'string' ? reason.toWellFormed() : ''
  const shown = given.replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ').trim()
  return [...shown].slice(0, LIMITS.messageCheckReason).join('').trim() || NO_REASON
}
