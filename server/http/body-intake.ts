import type { IncomingMessage } from 'node:http'
import type { Config } from '../config.ts'
import { busy, type Refusal, refusal } from '../errors.ts'
import type { Ceiling, Ceilings } from '../limits/ceilings.ts'
import { FairQueue, type Waiting } from '../limits/fair-queue.ts'

/** Interval of checking whether a body takes too long; shorter if less time is given. */
const CHECK_MS = 1000

/**
 * Pieces of uploads, of 64 KiB each, read in one turn of the event loop. Without it, twelve fast uploads had 24 MiB
 * read, hashed and parsed in each turn, and a request beside them, which needs several turns, took half a second. A
 * piece takes some 0.3 ms.
 */
const PIECES_PER_TURN = 2
/**
 * Time that other work has the event loop for itself between two turns, if more uploads wait than one turn serves.
 * Without it uploads take the rest of a core, and 180 MB/s of buffers make the garbage collector stop the process for 8
 * ms seven times a second.
 */
const PAUSE_MS = 1

/** `time`: the whole body must come within the limit. `progress`: enough of it within each such time. */
export type Pace = 'time' | 'progress'

type Settings = Pick<Config, 'bodyMs' | 'uploadBytesPerSecond' | 'bodyMemoryBytes'>

/**
 * Bodies being received: how long they may take, and how much memory they share. If the memory is not enough, the
 * oldest unfinished body of the network that holds most is dropped. So a network that holds much cannot displace a
 * neighbour's short body.
 */
export class BodyIntake {
  #settings: Settings
  /** Bodies being received, the oldest first. */
  #receiving = new Set<Body>()
  /** Bytes held by network, of bodies still being received. */
  #bytesOf = new Map<string, number>()
  #bytes = 0
  #memory: Ceiling
  /** Runs while bodies are being received. */
  #timer: NodeJS.Timeout | undefined
  /** Uploads that wait for their next piece, by network: each of these is served in turn. */
  #turns = new FairQueue<Waiting & { goOn(): void }>({ queueMs: 0, stallMs: 0 }, () => {})
  #isTurnDue = false
  /** Bodies given up because they took too long. */
  readonly cut = { time: 0, progress: 0 }

  constructor(settings: Settings, ceilings: Ceilings) {
    this.#settings = settings
    this.#memory = ceilings.add('body_bytes', settings.bodyMemoryBytes, () => this.#bytes)
  }

  /** Starts watching a body. Calls `giveUp` once if it takes too long or too much memory. */
  begin(raw: IncomingMessage, network: string, pace: Pace, giveUp: (refusal: Refusal) => void): Body {
    const body: Body = new Body(raw, network, pace, giveUp, {
      hold: (bytes) => this.#hold(body, bytes),
      received: () => this.#received(body),
      turn: () => this.#turn(body),
    })
    this.#receiving.add(body)
    this.#timer ??= setInterval(() => this.#check(), Math.min(CHECK_MS, this.#settings.bodyMs / 4)).unref()
    return body
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #hold(body: Body, bytes: number): void {
    const more = bytes - body.bytes
    body.bytes = bytes
    this.#bytes += more
    if (this.#receiving.has(body)) this.#count(body.network, more)
    if (more <= 0 || !(this.#bytes > this.#memory.limit)) return
    while (this.#bytes > this.#memory.limit) {
      const victim = this.#largestHolder() ?? body
      this.#memory.refusals += 1
      this.#giveUp(victim, busy())
      if (victim === body) return
    }
  }

  #turn({ network }: Body): Promise<void> {
    return new Promise((goOn) => {
      this.#turns.add(network, { ...this.#turns.arrival(), goOn })
      this.#planTurn()
    })
  }

  #planTurn(): void {
    if (this.#isTurnDue || this.#turns.size === 0) return
    this.#isTurnDue = true
    const turn = () => {
      this.#isTurnDue = false
      for (const { goOn } of this.#turns.take(PIECES_PER_TURN)) goOn()
      this.#planTurn()
    }
    if (this.#turns.size > PIECES_PER_TURN) setTimeout(turn, PAUSE_MS)
    else setImmediate(turn)
  }

  #received(body: Body): void {
    if (this.#receiving.delete(body)) this.#count(body.network, -body.bytes)
  }

  #giveUp(body: Body, refusal: Refusal): void {
    body.release()
    body.giveUp(refusal)
  }

  #count(network: string, more: number): void {
    const bytes = (this.#bytesOf.get(network) ?? 0) + more
    if (bytes > 0) this.#bytesOf.set(network, bytes)
    else this.#bytesOf.delete(network)
  }

  #largestHolder(): Body | undefined {
    let [largest, most] = ['', 0]
    for (const [network, bytes] of this.#bytesOf) if (bytes > most) [largest, most] = [network, bytes]
    for (const body of this.#receiving) if (body.network === largest && body.bytes > 0) return body
    return undefined
  }

  #check(): void {
    if (this.#receiving.size === 0) this.stop()
    const now = performance.now()
    for (const body of this.#receiving) {
      if (body.raw.complete || body.raw.socket.destroyed) {
        this.#received(body) // its reader is about to hear that it ended
      } else if (body.isLate(now, this.#settings)) {
        this.cut[body.pace] += 1
        this.#giveUp(body, refusal('request_too_slow'))
      }
    }
  }
}

type Accounts = { hold(bytes: number): void; received(): void; turn(): Promise<void> }

export class Body {
  readonly raw: IncomingMessage
  readonly network: string
  readonly pace: Pace
  readonly giveUp: (refusal: Refusal) => void
  bytes = 0
  #accounts: Accounts
  #isReleased = false
  #since = performance.now()
  #bytesBefore: number

  constructor(
    raw: IncomingMessage,
    network: string,
    pace: Pace,
    giveUp: (refusal: Refusal) => void,
    accounts: Accounts,
  ) {
    this.raw = raw
    this.network = network
    this.pace = pace
    this.giveUp = giveUp
    this.#accounts = accounts
    this.#bytesBefore = raw.socket.bytesRead
  }

  /**
   * Counts bytes of the body held in memory. Bytes after `release` do not count, because nothing would release them.
   */
  hold(bytes: number): void {
    if (!this.#isReleased) this.#accounts.hold(bytes)
  }

  /** Resolves when the next piece may be read, after the turns of others. */
  turn(): Promise<void> {
    return this.#accounts.turn()
  }

  /** The body is complete; its bytes stay in memory until `release`. */
  received(): void {
    this.#accounts.received()
  }

  release(): void {
    this.#isReleased = true
    this.#accounts.hold(0)
    this.#accounts.received()
  }

  isLate(now: number, { bodyMs, uploadBytesPerSecond }: Settings): boolean {
    if (now - this.#since < bodyMs) return false
    if (this.pace === 'time') return true
    const { bytesRead } = this.raw.socket
    const came = bytesRead - this.#bytesBefore
    this.#since = now
    this.#bytesBefore = bytesRead
    // Unread bytes here are not the sender's fault: the disk is slower than the network.
    return came < (uploadBytesPerSecond * bodyMs) / 1000 && this.raw.readableLength === 0
  }
}
