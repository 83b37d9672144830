import { OperatorError } from './errors.ts'

/** `share`: what is counted says nothing to people, only how much of all it is. */
export type PartSize = { total?: number; unit?: 'bytes' | 'share' }

/** Work that shows how far it is and can be stopped between its steps. Its parts come one after the other. */
export type LongWork = {
  /** Aborts when a person stops the work. */
  readonly signal: AbortSignal
  /** Begins a part, such as `Messages`. */
  begin(part: string, size?: PartSize): void
  /**
   * Notes what is done of the part since the last call, and ends the work here if it was stopped. `share` is how much of
   * the part is done, from 0 to 1, where its total is not known.
   */
  advance(count: number, share?: number): void
}

/** A person stopped the work. The message says what was kept, and how to go on. */
export class Stopped extends OperatorError {
  override name = 'Stopped'
}

/** Work without a person who watches or stops it. */
export const UNSEEN: LongWork = { signal: new AbortController().signal, begin() {}, advance() {} }

/** Passes bytes on, and notes them. */
export async function* counted(
  bytes: AsyncIterable<Buffer>,
  work: Pick<LongWork, 'advance'>,
): AsyncGenerator<Buffer> {
  for await (const chunk of bytes) {
    work.advance(chunk.length)
    yield chunk
  }
}
