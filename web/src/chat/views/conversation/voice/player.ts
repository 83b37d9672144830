/** A voice message that can be played. */
export type Track = {
  id: string
  url: string
  /** Seconds, if known: browsers leave the length out of their recordings. */
  length: number | undefined
  /** Finds the track that follows, when this one is over. */
  next: () => Track | undefined
}

export type Playing = {
  id: string | undefined
  isPlaying: boolean
  /** In seconds. */
  at: number
  isFailed: boolean
  rate: number
}

const RATES: readonly number[] = [1, 1.5, 2]
const RATE_NAME = 'parley voice rate'

let playing: Playing = { id: undefined, isPlaying: false, at: 0, isFailed: false, rate: keptRate() }
let track: Track | undefined
let element: HTMLAudioElement | undefined
const listeners = new Set<() => void>()

/** One player for the page: a second recording stops the first, and one that is scrolled away goes on. */
export const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
export const getPlaying = (): Playing => playing

function set(changes: Partial<Playing>): void {
  playing = { ...playing, ...changes }
  for (const listener of listeners) listener()
}

function audio(): HTMLAudioElement {
  if (element) return element
  const made = new Audio()
  made.preload = 'auto'
  made.addEventListener('timeupdate', () => {
    if (!made.seeking) set({ at: made.currentTime })
  })
  made.addEventListener('play', () => set({ isPlaying: true, isFailed: false }))
  made.addEventListener('pause', () => set({ isPlaying: false }))
  made.addEventListener('error', () => set({ isPlaying: false, isFailed: true }))
  made.addEventListener('ended', () => {
    const next = track?.next()
    set({ isPlaying: false, at: 0 })
    if (next) play(next)
  })
  element = made
  return made
}

export function play(wanted: Track, from?: number): void {
  const player = audio()
  if (track?.id !== wanted.id || playing.isFailed) {
    player.src = wanted.url
    set({ id: wanted.id, at: from ?? 0, isFailed: false })
  }
  track = wanted
  player.playbackRate = playing.rate
  if (from !== undefined) player.currentTime = from
  // Refusals and interruptions arrive as events of the player.
  player.play().catch(() => {})
}

export const pause = (): void => element?.pause()

/** Goes to another place of what is played, or of what is paused. */
export function seek(wanted: Track, at: number): void {
  if (track?.id !== wanted.id || !element) {
    play(wanted, at)
    return
  }
  element.currentTime = at
  set({ at })
}

export function nextRate(): void {
  const index = RATES.indexOf(playing.rate)
  const rate = RATES[(index + 1) % RATES.length] ?? 1
  localStorage.setItem(RATE_NAME, String(rate))
  if (element) element.playbackRate = rate
  set({ rate })
}

function keptRate(): number {
  const kept = Number(localStorage.getItem(RATE_NAME))
  return RATES.find((rate) => rate === kept) ?? 1
}
