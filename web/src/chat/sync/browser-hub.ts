import { Hub } from './hub.ts'
import { keptOutbox } from './kept.ts'

export const browserHub = (): Hub =>
  new Hub({ fetcher: (url, init) => fetch(url, init), storage: keptOutbox })
