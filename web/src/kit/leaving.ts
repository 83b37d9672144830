import { useEffect, useRef } from 'react'
import type { BaseLocationHook } from 'wouter'
import { useBrowserLocation } from 'wouter/use-browser-location'

/** Questions about unsaved changes; the newest is asked. */
const questions = new Map<symbol, string>()

/**
 * While something would be lost there is one more entry in the history, for the same address: Back ends on the entry below
 * it, where nothing has happened yet and we can ask. Browsers have no other way to stop a step back.
 */
const EXTRA = { isExtra: true }
let extraAt: string | undefined
/** Whether the next step back is our own, which takes the extra entry away. */
let isLettingGo = false
/** A navigation requested during that step, which would undo it: it happens once the step is done. */
let goLater: (() => void) | undefined

/** True where nothing would be lost, or where the person does not mind. */
function mayLeave(): boolean {
  const question = [...questions.values()].at(-1)
  if (question === undefined) return true
  if (!window.confirm(question)) return false
  questions.clear()
  return true
}

function hold(): void {
  if (extraAt !== undefined) return
  window.history.pushState(EXTRA, '', window.location.href)
  extraAt = window.location.href
}

/** Removes the extra entry, unless the person has gone elsewhere since. */
function letGo(): void {
  if (questions.size > 0 || extraAt === undefined || !isAtExtra()) return
  isLettingGo = true
  window.history.back()
}

const isAtExtra = (): boolean => Object(window.history.state).isExtra === true

function wentBack(): void {
  if (extraAt === undefined || isAtExtra() || window.location.href !== extraAt) return
  extraAt = undefined
  const isOurs = isLettingGo
  isLettingGo = false
  if (isOurs && questions.size === 0) return
  if (!isOurs && mayLeave()) window.history.back()
  else hold()
}

const closing = (event: BeforeUnloadEvent): void => {
  if (questions.size > 0) event.preventDefault()
}

window.addEventListener('popstate', () => {
  wentBack()
  const go = goLater
  goLater = undefined
  go?.()
})
window.addEventListener('beforeunload', closing)

/**
 * Asks before the person leaves: by a link or a button of this app, by Back, by closing the tab. The returned function
 * stops asking at once, to leave in the same moment because all is done.
 */
export function useAskBeforeLeaving(isOn: boolean, question: string): () => void {
  const name = useRef(Symbol('what would be lost'))
  useEffect(() => {
    if (!isOn) return
    const guard = name.current
    questions.set(guard, question)
    hold()
    return () => {
      questions.delete(guard)
      // Delayed: the view that replaces this one may have a question, too.
      window.setTimeout(letGo)
    }
  }, [isOn, question])
  // Repeats it after the returned function was called and the person stayed after all.
  useEffect(() => {
    if (isOn) questions.set(name.current, question)
  })
  return () => questions.delete(name.current)
}

/** How the app knows and changes where it is; every link and every `navigate` goes through here. */
export const useAskingLocation: BaseLocationHook = () => {
  const [path, navigate] = useBrowserLocation()
  return [path, (to: string, options?: { replace?: boolean }) => leaveFor(to, options, navigate)]
}

type Navigate = (to: string, options?: { replace?: boolean }) => void

function leaveFor(to: string, options: { replace?: boolean } | undefined, navigate: Navigate): void {
  const isSamePage = new URL(to, window.location.href).pathname === window.location.pathname
  if (!isSamePage && !mayLeave()) return
  if (isLettingGo && isAtExtra()) {
    goLater = () => leaveFor(to, options, navigate)
    return
  }
  // Replaces the extra entry, so that Back does not lead through it.
  const isAtExtraEntry = extraAt !== undefined && isAtExtra() && !isSamePage
  if (isAtExtraEntry) extraAt = undefined
  navigate(to, isAtExtraEntry ? { ...options, replace: true } : options)
}
