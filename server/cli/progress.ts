import type { LongWork, PartSize } from '../long-work.ts'
import { Stopped } from '../long-work.ts'
import { megabytes } from './output.ts'

/** A line that moves in a terminal, plain lines elsewhere, objects of JSON for programs, or nothing. */
export type Shown = 'line' | 'lines' | 'events' | 'nothing'
export type ProgressOutput = { write(text: string): unknown; isTTY?: boolean; columns?: number }

const EVERY_MS: Record<Shown, number> = { line: 200, lines: 10_000, events: 1000, nothing: 60_000 }
/** The time over which the pace is measured: a few slow steps do not make it jump. */
const PACE_MS = 30_000
/** Pace and time left are shown when they are more than a guess. */
const KNOWN_AFTER_MS = 1000
/** npm passes Ctrl-C on, and the terminal sends it too: both within this time are one. */
const ONE_SIGNAL_MS = 500
const ERASE_LINE = '\r\u001B[2K'
const COLUMNS = 80

type Sample = { at: number; done: number; share: number }
type Part = { name: string; total?: number; unit?: PartSize['unit']; begunAt: number; samples: Sample[] }

export function shownFor(
  { quiet, asJson }: { quiet: boolean; asJson: boolean },
  { isTTY }: ProgressOutput,
  terminal = process.env.TERM,
): Shown {
  if (quiet) return 'nothing'
  if (asJson) return 'events'
  return isTTY === true && terminal !== 'dumb' ? 'line' : 'lines'
}

/**
 * Shows on standard error how far the work of a command is, so that what it prints in the end stays whole. The first
 * Ctrl-C ends the work between two of its steps, a second one at once.
 */
export class Progress implements LongWork {
  readonly #shown: Shown
  readonly #output: ProgressOutput
  readonly #now: () => number
  readonly #stop = new AbortController()
  #timer: NodeJS.Timeout | undefined
  #part: Part | undefined
  #stoppedAt: number | undefined
  /** The exit code of a process that a signal ends. */
  exitCode = 0

  constructor(shown: Shown, output: ProgressOutput, now: () => number = () => performance.now()) {
    this.#shown = shown
    this.#output = output
    this.#now = now
  }

  get signal(): AbortSignal {
    return this.#stop.signal
  }

  begin(name: string, { total, unit }: PartSize = {}): void {
    this.#endPart()
    const begunAt = this.#now()
    const samples = [{ at: begunAt, done: 0, share: 0 }]
    this.#part = { name, begunAt, samples, ...(total !== undefined && { total }), ...(unit && { unit }) }
    if (this.#shown === 'line' || this.#shown === 'events') this.show()
    this.#refuseStopped()
  }

  advance(count: number, share?: number): void {
    this.#refuseStopped()
    const last = this.#part?.samples.at(-1)
    if (!this.#part || !last) return
    const done = last.done + count
    const { total } = this.#part
    const reached = share ?? (total ? done / total : 0)
    const sample = { at: this.#now(), done, share: Math.min(1, Math.max(last.share, reached)) }
    // One sample for each moment of showing is enough.
    if (sample.at - last.at < 100 && this.#part.samples.length > 1) this.#part.samples.pop()
    this.#part.samples.push(sample)
    const { samples } = this.#part
    while (samples.length > 2 && (samples[1]?.at ?? 0) < sample.at - PACE_MS) samples.shift()
  }

  /** Shows the part as it is now. */
  show(): void {
    if (!this.#part || this.#shown === 'nothing') return
    const text = describe(this.#part, this.#now())
    if (this.#shown === 'events') this.#writeEvent(this.#part)
    else if (this.#shown === 'lines') this.#output.write(`${text}\n`)
    else this.#output.write(ERASE_LINE + text.slice(0, (this.#output.columns ?? COLUMNS) - 1))
  }

  /** Watches time and signals until `close`. */
  open(): void {
    this.#timer = setInterval(() => this.show(), EVERY_MS[this.#shown])
    process.on('SIGINT', this.#leave).on('SIGTERM', this.#leave)
  }

  close(): void {
    clearInterval(this.#timer)
    process.off('SIGINT', this.#leave).off('SIGTERM', this.#leave)
    this.#endPart()
    this.#part = undefined
    if (this.#shown === 'line') this.#output.write(ERASE_LINE)
  }

  /** A signal ends the process where nothing is to be ended in order: before the work, and the second time. */
  #leave = (_signal: NodeJS.Signals, number: number): void => {
    const now = this.#now()
    if (this.#stoppedAt !== undefined && now - this.#stoppedAt < ONE_SIGNAL_MS) return
    if (!this.#part || this.#stoppedAt !== undefined) process.exit(128 + number)
    this.#stoppedAt = now
    this.exitCode = 128 + number
    const text = 'Stopping when this step is done. Ctrl-C again stops at once.'
    if (this.#shown === 'line') this.#output.write(`${ERASE_LINE}${text}\n`)
    else if (this.#shown === 'lines') this.#output.write(`${text}\n`)
    else if (this.#shown === 'events') this.#output.write(`${JSON.stringify({ event: 'stopping' })}\n`)
    this.#stop.abort()
  }

  #refuseStopped(): void {
    if (this.#stop.signal.aborted) throw new Stopped('stopped')
  }

  /** Programs learn the end of each part. */
  #endPart(): void {
    if (this.#part && this.#shown === 'events') this.#writeEvent(this.#part)
  }

  #writeEvent(part: Part): void {
    const { done, share, perSecond, secondsLeft } = measure(part, this.#now())
    const event = {
      event: 'progress',
      part: part.name,
      done: part.unit === 'share' ? null : done,
      total: part.unit === 'share' ? null : (part.total ?? null),
      unit: part.unit === 'bytes' ? 'bytes' : null,
      share: share ?? null,
      perSecond: perSecond === undefined ? null : Math.round(perSecond),
      secondsLeft: secondsLeft === undefined ? null : Math.round(secondsLeft),
    }
    this.#output.write(`${JSON.stringify(event)}\n`)
  }
}

function measure({ total, samples }: Part, now: number) {
  const [first, last] = [samples[0], samples.at(-1)]
  const { done = 0, share = 0 } = last ?? {}
  const knowsShare = (total !== undefined && total > 0) || share > 0
  const passed = now - (first?.at ?? now)
  const isKnown = first !== undefined && passed >= KNOWN_AFTER_MS && done > first.done
  const perSecond = isKnown ? ((done - first.done) / passed) * 1000 : undefined
  const sharePerSecond = isKnown ? ((share - first.share) / passed) * 1000 : 0
  const secondsLeft = knowsShare && sharePerSecond > 0 ? (1 - share) / sharePerSecond : undefined
  return { done, share: knowsShare ? share : undefined, perSecond, secondsLeft }
}

/** `Messages: 123,000 of 215,833 (57 %), 1,350 a second, 1 min 8 s left` */
function describe(part: Part, now: number): string {
  const { done, share, perSecond, secondsLeft } = measure(part, now)
  const { name, total, unit, begunAt } = part
  const amount = unit === 'bytes' ? megabytes : (count: number) => count.toLocaleString('en')
  const percent = share === undefined ? '' : `${Math.floor(share * 100)} %`
  const counts = total === undefined ? amount(done) : `${amount(done)} of ${amount(total)}`
  const isCounted = unit !== 'share' && (done > 0 || total !== undefined)
  const facts = [
    isCounted ? counts + (percent && ` (${percent})`) : percent,
    perSecond !== undefined && isCounted ? `${amount(pace(perSecond, unit))} a second` : '',
    secondsLeft === undefined
      ? `${duration((now - begunAt) / 1000)} so far`
      : `${duration(secondsLeft)} left`,
  ]
  return `${name}: ${facts.filter((fact) => fact !== '').join(', ')}`
}

/** Slow work has a pace with a fraction. */
const pace = (perSecond: number, unit: PartSize['unit']): number =>
  unit === 'bytes' || perSecond >= 10 ? Math.round(perSecond) : Math.round(perSecond * 10) / 10

function duration(seconds: number): string {
  const whole = Math.round(seconds)
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60), whole % 60]
  if (hours > 0) return `${hours} h ${minutes} min`
  return minutes > 0 ? `${minutes} min ${rest} s` : `${rest} s`
}
