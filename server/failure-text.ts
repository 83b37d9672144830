const MAX_TEXT = 300
/** Characters searched, enough to find a secret that begins within the shown text. */
const MAX_SEARCHED = 2000

/** Patterns of possible secrets, each with its replacement. */
const SECRETS: readonly (readonly [pattern: RegExp, shown: string])[] = [
  // User and password in an address, and its query.
  [/(:\/\/)[^\s/@]*@/g, '$1…@'],
  [/(:\/\/[^\s?"']*\?)[^\s"']+/g, '$1…'],
  [/\b((?:bearer|basic) )\S+/gi, '$1…'],
  [/((?:password|secret|token|key|authorization|signature)["']?[=:] ?)("[^"]*"|'[^']*'|[^\s,;]+)/gi, '$1…'],
  // Names of tables and settings are of small letters or of capitals alone; keys and tokens mix both with digits.
  [/\b(?=[\w-]*[a-z])(?=[\w-]*[A-Z])(?=[\w-]*\d)[\w-]{20,}/g, '…'],
  [/\b[0-9a-f]{32,}\b/gi, '…'],
]

/** An error in one line for operators: its message, shortened, without what may be a secret. */
export function describeFailure(error: unknown): string {
  const text = (error instanceof Error ? error.message || error.name : String(error)).slice(0, MAX_SEARCHED)
  const shown = SECRETS.reduce((left, [pattern, instead]) => left.replace(pattern, instead), text)
  const line = shown.replace(/\s+/g, ' ').trim()
  return line.length > MAX_TEXT ? `${line.slice(0, MAX_TEXT)}…` : line
}
