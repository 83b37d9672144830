import { useQueryClient } from '@tanstack/react-query'
import { createContext, useContext, useEffect, useRef } from 'react'
import type { AdminChange } from '../../../contract/people/stream.ts'
import { connectionFailed } from './connection.ts'
import { sessionState } from './session-state.ts'

/** Waits before a stream that was refused is opened again: a server that restarts is soon back, one that is full is not. */
const AGAIN_MS = [2000, 4000, 8000, 16_000, 32_000, 60_000]
/** Up to so much of a wait is left to chance, so that not all pages come back at the same moment. */
const JITTER = 0.3

const waitBefore = (refusals: number): number =>
  (AGAIN_MS[Math.min(refusals, AGAIN_MS.length) - 1] ?? 0) * (1 + JITTER * Math.random())

export type LiveEvent = { type: string; data: unknown }

/** Everything that is kept of an organization, by kind: what a change of that kind makes stale. */
export const keys = {
  account: ['account'] as const,
  of: (
    organizationId: string,
    kind: 'overview' | 'audit' | AdminChange['target']['type'],
    ...rest: unknown[]
  ) => ['organization', organizationId, kind, ...rest] as const,
}

type Options = {
  /** The bot whose deliveries are being looked at. */
  watch?: string | undefined
  /** Types of topic events to be told of, beside what the console follows by itself. */
  types?: readonly string[]
  onEvent?: (event: LiveEvent) => void
}

/**
 * Follows an organization while the component is shown, and reads changed data again. The stream resumes from the last
 * position, so that a break loses nothing. A hidden page closes it: browsers allow six connections to a host, and
 * seven open tabs would leave none for anything else.
 */
export function useLive(organizationId: string, { watch, types = NONE, onEvent }: Options = {}): void {
  const queries = useQueryClient()
  const listener = useRef(onEvent)
  listener.current = onEvent
  const typeList = types.join(' ')
  const position = useRef({ organizationId, last: '' })
  if (position.current.organizationId !== organizationId) position.current = { organizationId, last: '' }

  useEffect(() => {
    const at = position.current
    let source: EventSource | undefined
    let timer: number | undefined
    let refusals = 0

    /** Hints have no position of their own. */
    const moved = ({ lastEventId }: MessageEvent<string>) => {
      if (lastEventId !== '') at.last = lastEventId
    }
    const stale = (...kinds: Parameters<typeof keys.of>[1][]) => {
      for (const kind of kinds) void queries.invalidateQueries({ queryKey: keys.of(organizationId, kind) })
    }
    const watchedChanged = () => {
      if (watch !== undefined) {
        void queries.invalidateQueries({ queryKey: keys.of(organizationId, 'bot', watch) })
      }
    }
    const changed = (event: MessageEvent<string>) => {
      moved(event)
      const { action, target }: AdminChange = JSON.parse(event.data)
      // A sign-in or an assistant's call changes nothing but the audit log.
      if (action === 'member.signed_in' || action === 'assistant.called') return stale('audit')
      stale(target.type, 'audit', 'overview')
      // An org unit shows the names of its members.
      if (target.type === 'member' || target.type === 'bot') stale('org_unit')
      if (target.type === 'organization' || target.type === 'member') {
        void sessionState.read()
      }
    }

    const open = () => {
      const query = new URLSearchParams({
        ...(watch !== undefined && { watch }),
        ...(at.last !== '' && { after: at.last }),
      })
      source = new EventSource(`/people/organizations/${organizationId}/stream?${query}`)
      source.addEventListener('open', () => {
        refusals = 0
      })
      source.addEventListener('admin.change', changed)
      source.addEventListener('reset', (event: MessageEvent<string>) => {
        moved(event)
        void queries.invalidateQueries({ queryKey: ['organization', organizationId] })
        void sessionState.read()
      })
      source.addEventListener('activity', (event: MessageEvent<string>) => {
        moved(event)
        stale('overview')
      })
      source.addEventListener('deliveries', (event: MessageEvent<string>) => {
        moved(event)
        watchedChanged()
      })
      for (const type of typeList.split(' ').filter((name) => name !== '')) {
        source.addEventListener(type, (event: MessageEvent<string>) => {
          moved(event)
          listener.current?.({ type, data: JSON.parse(event.data) })
        })
      }
      // A browser tries again by itself, except when the answer was not a stream: signed out, too many pages open, or a
      // server that restarts.
      source.addEventListener('error', () => {
        void connectionFailed()
        if (source?.readyState !== EventSource.CLOSED) return
        void sessionState.read()
        refusals += 1
        timer = window.setTimeout(open, waitBefore(refusals))
      })
    }
    const close = () => {
      window.clearTimeout(timer)
      source?.close()
    }
    const turned = () => {
      close()
      if (document.hidden) return
      open()
      // Hints that came while the stream was closed are lost.
      stale('overview')
      watchedChanged()
    }
    if (!document.hidden) open()
    document.addEventListener('visibilitychange', turned)
    return () => {
      document.removeEventListener('visibilitychange', turned)
      close()
    }
  }, [organizationId, watch, typeList, queries])
}

const NONE: readonly string[] = []

/** The page has one stream, since browsers open few connections to a server; a view asks it to watch a bot. */
export const WatchContext = createContext<(botId: string | undefined) => void>(() => {})

/** The deliveries of this bot are followed while the view is shown. */
export function useWatch(botId: string): void {
  const watch = useContext(WatchContext)
  useEffect(() => {
    watch(botId)
    return () => watch(undefined)
  }, [watch, botId])
}
