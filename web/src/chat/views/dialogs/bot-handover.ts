import { useSyncExternalStore } from 'react'
import type { Credentials } from '../../../../../contract/people/bots.ts'

/** A bot that was just made, whose secret is shown in the topic that it is in. In memory alone: it is never shown again. */
export type BotHandover = {
  topicId: string
  bot: { id: string; name: string }
} & Pick<Credentials, 'apiKey' | 'apiSecret' | 'clientId' | 'clientSecret'>

let handover: BotHandover | undefined
const listeners = new Set<() => void>()

export function setHandover(next: BotHandover | undefined): void {
  handover = next
  for (const listener of listeners) listener()
}

export const useHandover = (): BotHandover | undefined =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    () => handover,
  )
