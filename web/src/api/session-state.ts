import type { readSession, Session, signOut } from '../../../contract/people/session.ts'
import { call, Refused, Unreachable } from './call.ts'
import { onConnectionBack } from './connection.ts'

/** A session read longer ago than this is read again when its tab comes to the front: it may have ended elsewhere. */
const FRESH_MS = 30_000
const RETRY_AFTER_MS = [1000, 2000]

type SessionState = { data: Session | undefined; isError: boolean; error: unknown }

/** The last session here. The chat starts with that before the server has answered; other views wait for the answer. */
const KEPT = 'parley.session'
/** Set when a person signs out without a connection. The session is ended before any other request. */
const LEAVING = 'parley.leaving'
const OF_CHAT = /^\/($|[otm]\/)/

function readKept(): Session | undefined {
  try {
    const kept = OF_CHAT.test(window.location.pathname) && JSON.parse(localStorage.getItem(KEPT) ?? '')
    return kept || undefined
  } catch {
    return undefined
  }
}

function keep(session: Session): void {
  // Links to logos are over soon.
  const lasting = JSON.stringify(session, (name, value) => (name === 'logoUrl' ? undefined : value))
  if (session.account) localStorage.setItem(KEPT, lasting)
  else localStorage.removeItem(KEPT)
}

let state: SessionState = { data: readKept(), isError: false, error: undefined }
let readAt = 0
/** Counts what has changed the session: an answer to an older question is dropped. */
let version = 0
const listeners = new Set<() => void>()
const entryListeners = new Set<() => void>()

function show(next: SessionState): void {
  state = next
  for (const listener of listeners) listener()
}

/** Keeps the object that is there while nothing has changed, so that nothing is drawn again. */
function take(session: Session): void {
  readAt = Date.now()
  keep(session)
  const isSame = JSON.stringify(session) === JSON.stringify(state.data)
  if (!isSame || state.isError) {
    show({ data: isSame ? state.data : session, isError: false, error: undefined })
  }
}

async function leave(): Promise<void> {
  await call<typeof signOut>('POST', '/people/sign-out', {})
  localStorage.removeItem(LEAVING)
}

async function read(): Promise<void> {
  version += 1
  const asked = version
  for (let failures = 0; ; failures++) {
    try {
      if (localStorage.getItem(LEAVING) !== null) await leave()
      const session = await call<typeof readSession>('GET', '/people/session', {})
      if (asked === version) take(session)
      return
    } catch (error) {
      if (asked !== version) return
      const wait = RETRY_AFTER_MS[failures]
      // A refusal stays one; only a server that is away is asked again.
      if (wait === undefined || (error instanceof Refused && error.status < 500)) {
        show({ ...state, isError: true, error })
        return
      }
      await new Promise((resolve) => window.setTimeout(resolve, wait))
    }
  }
}

document.addEventListener('visibilitychange', () => {
  if (!document.hidden && Date.now() - readAt > FRESH_MS) void read()
})
onConnectionBack(() => void read())

/**
 * The session, outside of React and of the cache of other reads: the page asks for it before it has drawn anything, and the
 * chat needs no more.
 */
export const sessionState = {
  get: (): SessionState => state,
  subscribe(listener: () => void) {
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
    }
  },
  read,
  /** Ends the session at the server, as soon as that can be reached. */
  async leave(): Promise<void> {
    localStorage.setItem(LEAVING, '')
    await leave().catch((error: unknown) => {
      if (error instanceof Unreachable) return
      localStorage.removeItem(LEAVING)
      throw error
    })
  },
  /** Stores the session after a sign-in or sign-out. */
  set(session: Session): void {
    version += 1
    if (session.account) localStorage.removeItem(LEAVING)
    for (const listener of entryListeners) listener()
    take(session)
  },
  /** Tells who keeps what belongs to the former account. */
  onEntry: (listener: () => void) => void entryListeners.add(listener),
}
