/** Longer addresses are text, and so is what stands before them. */
const MAX_LENGTH = 4096
/** Brackets inside of an address, as CommonMark asks for at least. */
const MAX_BRACKETS = 32
const ESCAPED = /\\([!-/:-@[-`{-~])/g

export type Target = { address: string; end: number }

/** The address, and a title that is not shown, behind the label of a link; `at` is where its bracket opens. */
export function targetAt(text: string, at: number): Target | undefined {
  if (text.charAt(at) !== '(') return undefined
  const last = Math.min(text.length, at + MAX_LENGTH)
  const start = skipSpace(text, at + 1, last)
  const end = text.charAt(start) === '<' ? angledEnd(text, start, last) : plainEnd(text, start, last)
  if (end === undefined) return undefined
  const address = text.charAt(start) === '<' ? text.slice(start + 1, end - 1) : text.slice(start, end)
  const afterSpace = skipSpace(text, end, last)
  const titleEnd = afterSpace > end ? pastTitle(text, afterSpace, last) : afterSpace
  const closing = skipSpace(text, titleEnd, last)
  if (text.charAt(closing) !== ')') return undefined
  return { address: address.replace(ESCAPED, '$1'), end: closing + 1 }
}

function skipSpace(text: string, from: number, last: number): number {
  let at = from
  while (at < last && /\s/.test(text.charAt(at))) at += 1
  return at
}

/** The place behind an address in angle brackets. */
function angledEnd(text: string, start: number, last: number): number | undefined {
  for (let at = start + 1; at < last; at++) {
    const letter = text.charAt(at)
    if (letter === '>') return at + 1
    if (letter === '<' || letter === '\n') return undefined
    if (letter === '\\') at += 1
  }
  return undefined
}

/** The place behind an address that ends with a space, or with the bracket that it did not open. */
function plainEnd(text: string, start: number, last: number): number | undefined {
  let open = 0
  for (let at = start; at < last; at++) {
    const letter = text.charAt(at)
    if (/\s/.test(letter)) return open === 0 ? at : undefined
    if (letter === '(') {
      open += 1
      if (open > MAX_BRACKETS) return undefined
    } else if (letter === ')') {
      if (open === 0) return at
      open -= 1
    } else if (letter === '\\') at += 1
  }
  return undefined
}

/** The place behind a title, or where it would begin. */
function pastTitle(text: string, at: number, last: number): number {
  const opening = text.charAt(at)
  const closing = opening === '(' ? ')' : opening
  if (!['"', "'", ')'].includes(closing)) return at
  for (let end = at + 1; end < last; end++) {
    const letter = text.charAt(end)
    if (letter === closing) return end + 1
    if (letter === '(' && closing === ')') return at
    if (letter === '\\') end += 1
  }
  return at
}
