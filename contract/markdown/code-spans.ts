/** Finds where spans of code end. Runs of backticks are looked up once for the text, by their length. */
export class CodeSpans {
  readonly #text: string
  #runs: Map<number, number[]> | undefined

  constructor(text: string) {
    this.#text = text
  }

  /** The start of the next run of `length` backticks from `from` on; undefined where there is none. */
  closing(length: number, from: number): number | undefined {
    this.#runs ??= runsOf(this.#text)
    const runs = this.#runs.get(length) ?? []
    // Spans are asked for in the order of the text: a run before this place is of no use later.
    while (runs.length > 0 && (runs.at(-1) ?? 0) < from) runs.pop()
    return runs.at(-1)
  }
}

/** The starts of all runs of backticks by their length, the last one first. */
function runsOf(text: string): Map<number, number[]> {
  const runs = new Map<number, number[]>()
  for (const { 0: run, index } of text.matchAll(/`+/g)) {
    const starts = runs.get(run.length)
    if (starts) starts.push(index)
    else runs.set(run.length, [index])
  }
  for (const starts of runs.values()) starts.reverse()
  return runs
}

/** The text of a code span: on one line, without a space at both ends that only keeps backticks apart. */
export function codeShown(written: string): string {
  const line = written.replaceAll('\n', ' ')
  const isPadded = line.startsWith(' ') && line.endsWith(' ') && line.trim() !== ''
  return isPadded ? line.slice(1, -1) : line
}
