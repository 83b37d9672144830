import { browserHub } from './browser-hub.ts'
import { newId } from './pacing.ts'
import type { HubPort, TabPort, ToHub, ToTab } from './protocol.ts'

const NAME = 'parley-chat'

/** One tab runs the hub if there is no shared worker. Each tab runs its own if there are no locks either. */
export const hubWithoutWorker = (): TabPort =>
  'locks' in navigator && 'BroadcastChannel' in self ? electedHub() : ownHub()

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
