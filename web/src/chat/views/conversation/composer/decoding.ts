import { useCallback } from 'react'
import { useSnapshot } from '../snapshot.ts'
import { decode, topicLink, type Written } from './written.ts'

/** A sent text as it is written: with names in place of ids. */
export function useDecode(): (wire: string) => Written {
  const snapshot = useSnapshot()
  return useCallback(
    (wire) => {
      const { members, topics } = snapshot()
      const links = wire.includes('](')
        ? [...topics.values()].map((topic) => topicLink(topic, window.location.origin))
        : []
      return decode(wire, (id) => members.get(id)?.name, links)
    },
    [snapshot],
  )
}
