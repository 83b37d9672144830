import type { Fetch } from '../../api/chat.ts'
import { Hub } from './hub.ts'
import { keptOutbox } from './kept.ts'
import { newId } from './pacing.ts'
import type { HubPort, TabPort, ToHub, ToTab } from './protocol.ts'

const NAME = 'parley-chat'

const fetcher: Fetch = (url, init) => fetch(url, init)
export const browserHub = (): Hub => new Hub({ fetcher, storage: keptOutbox })

/** The hub of this browser: a shared worker; without those, one of the tabs; without locks, each tab for itself. */
export function connectHub(): TabPort {
  let current: TabPort | undefined
  let listener: (message: ToTab) => void = () => {}
  const use = (port: TabPort) => {
    current = port
    port.listen((message) => listener(message))
  }
  const fallBack = () => use('locks' in navigator && 'BroadcastChannel' in self ? electedHub() : ownHub())
  if ('SharedWorker' in self) {
    try {
      const worker = new SharedWorker(new URL('./worker.ts', import.meta.url), { type: 'module', name: NAME })
      worker.addEventListener('error', () => {
        fallBack()
        listener({ type: 'hello' })
      })
      use({
        post: (message) => worker.port.postMessage(message),
        listen: (hear) => {
          worker.port.onmessage = ({ data }: MessageEvent<ToTab>) => hear(data)
        },
      })
    } catch {
      fallBack()
    }
  } else fallBack()
  return {
    post: (message) => current?.post(message),
    listen: (hear) => {
      listener = hear
    },
  }
}

function ownHub(): TabPort {
  let toHub: (message: ToHub) => void = () => {}
  let toTab: (message: ToTab) => void = () => {}
  browserHub().connect({
    post: (message) => queueMicrotask(() => toTab(message)),
    listen: (hear) => {
      toHub = hear
    },
  })
  return {
    post: (message) => queueMicrotask(() => toHub(message)),
    listen: (hear) => {
      toTab = hear
    },
  }
}

type OnChannel =
  | { to: 'hub'; tab: string; message: ToHub }
  | { to: 'tab'; tab: string | undefined; message: ToTab }

/** The tab that holds the lock has the hub. When it goes, the next one gets the lock, and greets the others. */
function electedHub(): TabPort {
  const tab = newId()
  const channel = new BroadcastChannel(NAME)
  navigator.locks.request(NAME, () => {
    lead()
    return new Promise(() => {})
  })
  return {
    post: (message) => channel.postMessage({ to: 'hub', tab, message } satisfies OnChannel),
    listen: (hear) => {
      channel.addEventListener('message', ({ data }: MessageEvent<OnChannel>) => {
        if (data.to === 'tab' && (data.tab ?? tab) === tab) hear(data.message)
      })
    },
  }
}

function lead(): void {
  const hub = browserHub()
  const channel = new BroadcastChannel(NAME)
  const listeners = new Map<string, (message: ToHub) => void>()
  const post = (tab: string | undefined, message: ToTab) =>
    channel.postMessage({ to: 'tab', tab, message } satisfies OnChannel)
  channel.addEventListener('message', ({ data }: MessageEvent<OnChannel>) => {
    if (data.to !== 'hub') return
    const { tab, message } = data
    if (!listeners.has(tab)) {
      const port: HubPort = {
        post: (answer) => post(tab, answer),
        listen: (hear) => listeners.set(tab, hear),
      }
      hub.connect(port)
    }
    listeners.get(tab)?.(message)
    if (message.type === 'leave') listeners.delete(tab)
  })
  post(undefined, { type: 'hello' })
}
