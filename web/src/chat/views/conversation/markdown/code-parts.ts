/** A stretch of code, and what it is, as the highlighter calls it; nested stretches are flat, with the innermost name. */
export type CodePart = { scope: string | undefined; text: string }

/** Parts that are drawn with a colour. */
export const MAX_PARTS = 2000

/** The first parts; the rest of the code is one part without a colour. */
export function firstParts(parts: readonly CodePart[]): CodePart[] {
  const rest = parts.slice(MAX_PARTS)
  if (rest.length === 0) return [...parts]
  return [...parts.slice(0, MAX_PARTS), { scope: undefined, text: rest.map(({ text }) => text).join('') }]
}
