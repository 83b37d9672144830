import type { Readable } from 'node:stream'
import { refusal } from '../errors.ts'
import { type FormParts, type FormRules, FormSplitter } from './form.ts'

type RunningDigest = { update(piece: Buffer): unknown; digest(): Buffer }

/** Digests of a body as it comes in, if needed: the one that its signature covers, and its own hash. */
export type Digests<Digest> = { signed?: Digest | undefined; hash?: Digest | undefined }

/** A complete form of a sender who is not verified yet. Its parts have not been read. */
export class IncomingForm {
  readonly digests: Digests<Buffer>
  #splitter: FormSplitter | undefined

  constructor(digests: Digests<Buffer>, splitter: FormSplitter | undefined) {
    this.digests = digests
    this.#splitter = splitter
  }

  /** Refuses a malformed form. */
  async parts(): Promise<FormParts> {
    if (!this.#splitter) throw new Error('the form was not kept')
    return this.#splitter.parts()
  }

  async discard(): Promise<void> {
    await this.#splitter?.discard()
  }
}

/**
 * Reports on a body being received: its bytes in memory, that it has arrived, or that nothing of it is left. `turn`
 * resolves when more of it may be read.
 */
export type Watched = {
  hold(bytes: number): void
  turn(): Promise<void>
  received(): void
  release(): void
}

type Options = {
  contentType: string
  rules: FormRules
  limit: number
  digests: Digests<RunningDigest>
  /** False: read to its end and hashed, but not written; for senders who will be refused anyway. */
  isKept: boolean
  /** Begins to watch the body; `giveUp` ends it with this error. The caller releases the bytes of a body that has arrived. */
  watch?: (giveUp: (error: Error) => void) => Watched
}

/** Splits a form as it comes in, hashed and bounded. Mistakes are reported once its sender is verified. */
export async function receiveForm(source: Readable, options: Options): Promise<IncomingForm> {
  const { contentType, rules, digests, isKept } = options
  const splitter = isKept ? new FormSplitter(contentType, rules) : undefined
  try {
    const watched = await receive(source, splitter, options)
    await splitter?.end()
    watched?.hold(splitter?.bytesHeld ?? 0) // nothing waits for the disk any more
    return new IncomingForm({ signed: digests.signed?.digest(), hash: digests.hash?.digest() }, splitter)
  } catch (error) {
    await splitter?.discard()
    throw error
  }
}

/** Ending early only lets go of the source: closing it would close the connection, on which a refusal is still to be sent. */
async function receive(
  source: Readable,
  splitter: FormSplitter | undefined,
  { limit, digests, watch }: Options,
): Promise<Watched | undefined> {
  let size = 0
  let watched: Watched | undefined
  let stop: (error: unknown) => void = () => {}
  const onData = (piece: Buffer) => {
    size += piece.length
    if (size > limit) return stop(refusal('file_too_large'))
    digests.signed?.update(piece)
    digests.hash?.update(piece)
    const drained = splitter?.write(piece)
    watched?.hold(splitter?.bytesHeld ?? 0)
    source.pause()
    void goOn(drained)
  }
  const goOn = async (drained: Promise<void> | undefined) => {
    await drained
    await watched?.turn()
    watched?.hold((splitter?.bytesHeld ?? 0) + source.readableLength) // bytes received since then are unread
    source.resume()
  }
  try {
    await new Promise<void>((resolve, reject) => {
      stop = reject
      watched = watch?.(reject)
      source.on('data', onData)
      source.once('end', resolve)
      source.once('error', () => reject(refusal('body_incomplete')))
      source.once('close', () => reject(refusal('body_incomplete')))
    })
    watched?.received()
    return watched
  } catch (error) {
    watched?.release()
    throw error
  } finally {
    source.off('data', onData)
    source.resume() // bytes that still come are let go
  }
}
