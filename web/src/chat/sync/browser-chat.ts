import { messagesPainted } from '../first-sight.ts'
import type { Told } from '../store/events.ts'
import { beforeNextFrame } from '../store/frames.ts'
import { connectHub } from './connect.ts'
import { keptState } from './kept.ts'
import { type OpenChat, openChat } from './open-chat.ts'
import { uploadFiles } from './upload.ts'

const TOPIC_PATH = /^\/t\/([0-9a-f-]{36})(?:\/|$)/i

/** Opens a chat with the parts of this browser. */
export function openBrowserChat(accountId: string, organizationId: string): OpenChat {
  const chat = openChat({
    accountId,
    organizationId,
    port: connectHub(),
    kept: keptState(accountId, organizationId),
    fetcher: (url, init) => fetch(url, init),
    schedule: beforeNextFrame,
    upload: (item, onProgress) => uploadFiles(organizationId, item, onProgress),
    openTopicId: () => TOPIC_PATH.exec(window.location.pathname)?.[1],
    painted: messagesPainted,
    reload: () => window.location.reload(),
    notify: (told) => void attending.then((attention) => attention?.show(told)),
  })
  const listening = new AbortController()
  const { signal } = listening
  // Loads after the first messages are painted. A browser that cannot load it works without notifications.
  const attending: Promise<{ show(told: Told): void } | undefined> = messagesPainted
    .then(() => import('../attention/attend.ts'))
    .then(({ attend }) => (signal.aborted ? undefined : attend(chat.store, organizationId, signal)))
    .catch(() => undefined)
  const lookedAt = () => {
    if (document.visibilityState === 'visible') chat.wake('front')
  }
  document.addEventListener('visibilitychange', lookedAt, { signal })
  window.addEventListener('focus', lookedAt, { signal })
  window.addEventListener('online', () => chat.wake('online'), { signal })
  window.addEventListener('pagehide', () => chat.suspend(), { signal })
  window.addEventListener('pageshow', ({ persisted }) => persisted && chat.resume(), { signal })
  return {
    ...chat,
    close() {
      listening.abort()
      chat.close()
    },
  }
}
