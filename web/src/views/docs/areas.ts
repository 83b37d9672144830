import { useLocation } from 'wouter'
import { useDocs } from './context.ts'

export type Area = 'guides' | 'bot' | 'people'

export const AREAS: readonly { name: Area; path: string }[] = [
  { name: 'guides', path: '/docs' },
  { name: 'bot', path: '/docs/api' },
  { name: 'people', path: '/docs/people' },
]

/** The part of the docs that the address belongs to. */
export function useArea(): Area {
  const [location] = useLocation()
  const { operations } = useDocs()
  if (location === '/docs/people') return 'people'
  const [, id] = /^\/docs\/api(?:\/(.*))?$/.exec(location) ?? []
  if (id === undefined) return location === '/docs/api' ? 'bot' : 'guides'
  return operations.find((operation) => operation.id === id)?.kind === 'people' ? 'people' : 'bot'
}
