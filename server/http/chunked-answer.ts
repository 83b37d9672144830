import type { ServerResponse } from 'node:http'

/**
 * A long answer, written in pieces that many others get as well. A piece is encoded and framed once for all answers
 * that get it in a row. Node would encode it for each of them, and write its frame separately.
 */
export class ChunkedAnswer {
  readonly #response: ServerResponse
  #hasBegun = false

  constructor(response: ServerResponse) {
    this.#response = response
  }

  /** Whether the client does not take its data. */
  get isFull(): boolean {
    return this.#response.writableNeedDrain || this.#response.socket?.writableNeedDrain === true
  }

  write(text: string): void {
    const { socket, chunkedEncoding } = this.#response
    // Headers go out with the first piece. HTTP/1.0 has no chunks, and an answer has no socket while it waits for the one before it.
    if (this.#hasBegun && chunkedEncoding && socket?.writable) socket.write(chunkOf(text))
    else this.#response.write(text)
    this.#hasBegun = true
  }

  /** Resolves when the client has taken its data, or has disconnected. */
  drained(): Promise<void> {
    const { socket } = this.#response
    const emitters = socket ? [this.#response, socket] : [this.#response]
    return new Promise((resolve) => {
      if (!this.isFull) return resolve()
      const goOn = () => {
        for (const emitter of emitters) emitter.off('drain', goOn).off('close', goOn)
        resolve()
      }
      for (const emitter of emitters) emitter.on('drain', goOn).on('close', goOn)
    })
  }
}

let latest = { text: '', chunk: Buffer.alloc(0) }

/** Keeps the latest chunk, because thousands of streams send the same text in a row. */
function chunkOf(text: string): Buffer {
  if (text !== latest.text) {
    const length = Buffer.byteLength(text).toString(16)
    latest = { text, chunk: Buffer.from(`${length}\r\n${text}\r\n`) }
  }
  return latest.chunk
}
