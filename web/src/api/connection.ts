import { type ComponentType, lazy, useSyncExternalStore } from 'react'

const LOOK_AGAIN_MS = 2000
const RELOADED = 'parley.reloaded'
const RELOAD_AGAIN_MS = 60_000

let isLost = false
let back: Promise<void> | undefined
const listeners = new Set<() => void>()
const backListeners = new Set<() => void>()

function set(lost: boolean): void {
  isLost = lost
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Whether the server is away. Views then show the data they have, and say so. */
export const useConnectionLost = (): boolean => useSyncExternalStore(subscribe, () => isLost)

/** Calls the listener each time the server is back after it was away. */
export const onConnectionBack = (listener: () => void): void => void backListeners.add(listener)

/** Reports a request without an answer. The returned promise resolves once the server answers again. */
export function connectionFailed(): Promise<void> {
  back ??= untilItAnswers().finally(() => {
    back = undefined
  })
  return back
}

async function untilItAnswers(): Promise<void> {
  if (await answers()) return
  set(true)
  do await pause()
  while (!(await answers()))
  set(false)
  for (const listener of backListeners) listener()
}

async function answers(): Promise<boolean> {
  return fetch('/health/live', { cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  )
}

/** Waits `LOOK_AGAIN_MS`, or until the browser is online again. */
function pause(): Promise<void> {
  return new Promise((resolve) => {
    const timer = window.setTimeout(done, LOOK_AGAIN_MS)
    window.addEventListener('online', done)
    function done() {
      window.clearTimeout(timer)
      window.removeEventListener('online', done)
      resolve()
    }
  })
}

/** Reloads the page once the server answers, so that people never see the browser's error page. */
export async function reload(to = window.location.href): Promise<void> {
  await connectionFailed()
  if (to === window.location.href) window.location.reload()
  else window.location.assign(to)
}

type View<Props> = { default: ComponentType<Props> }

/**
 * A view that is loaded when it is first shown. If the server is away, it is loaded when the server is back. If the
 * server has other files by then, the page is reloaded, at most once a minute.
 */
export const lazyView = <Props>(load: () => Promise<View<Props>>) => lazy(() => loadPatiently(load))

async function loadPatiently<Props>(load: () => Promise<View<Props>>): Promise<View<Props>> {
  for (;;) {
    const failure = await load().then(
      (view) => ({ view }),
      (error: unknown) => ({ error }),
    )
    if ('view' in failure) return failure.view
    await connectionFailed()
    // Some browsers remember that a file could not be had: then asking again fails at once.
    const again = await load().catch(() => undefined)
    if (again) return again
    if (!(await answers())) continue
    if (Date.now() - Number(sessionStorage.getItem(RELOADED)) < RELOAD_AGAIN_MS) throw failure.error
    sessionStorage.setItem(RELOADED, String(Date.now()))
    await reload()
    await new Promise(() => {}) // the page goes
  }
}
