/** Types of the arguments of commands. */
export const ARGUMENT_TYPES = ['text', 'number', 'date', 'person', 'topic', 'choice'] as const
export type ArgumentType = (typeof ARGUMENT_TYPES)[number]
type Declared = { name: string; type?: ArgumentType }

/** A word, or several in double quotes. */
const WORD = /^(?:"([^"]*)"|(\S+))\s*/
/** A link to a topic, as the field for messages writes it: its name may have spaces. */
const LINK = /^(\[(?:\\.|[^\]\\])*\]\([^)\s]*\))\s*/
const QUOTED = /^"([^"]*)"$/

function pieceOf(rest: string, { type }: Declared): { value: string; length: number } {
  const [link, linked] = (type === 'topic' ? LINK.exec(rest) : null) ?? []
  if (link !== undefined && linked !== undefined) return { value: linked, length: link.length }
  const [all = '', quoted, word] = WORD.exec(rest) ?? []
  return { value: quoted ?? word ?? '', length: all.length }
}

/** Splits the text behind a command: a word or a quoted text for each argument, the rest for the last. Empty ones are left out. */
export function splitArguments<Argument extends Declared>(
  text: string,
  declared: readonly Argument[],
): [argument: Argument, value: string][] {
  let rest = text.trim()
  return declared.flatMap((argument, index): [Argument, string][] => {
    const isLast = index === declared.length - 1
    const { value, length } = isLast
      ? { value: rest.replace(QUOTED, '$1'), length: rest.length }
      : pieceOf(rest, argument)
    rest = rest.slice(length)
    return value === '' ? [] : [[argument, value]]
  })
}

/** The argument that is written behind this text, which ends before its first letter. */
export function argumentAfter<Argument extends Declared>(
  text: string,
  declared: readonly Argument[],
): Argument | undefined {
  let rest = text.trimStart()
  let index = 0
  for (; rest !== '' && index < declared.length - 1; index += 1) {
    const argument = declared[index]
    if (!argument) return undefined
    rest = rest.slice(Math.max(1, pieceOf(rest, argument).length))
  }
  return rest === '' ? declared[index] : undefined
}
