import type { Scenario } from '../scenario.ts'
import { age } from './age.ts'
import { chatLarge } from './chat-large.ts'
import { chatLive } from './chat-live.ts'
import { chatOpen } from './chat-open.ts'
import { chatScroll } from './chat-scroll.ts'
import { chatStart } from './chat-start.ts'
import { fanOut } from './fan-out.ts'
import { lists } from './lists.ts'
import { manyStreams } from './many-streams.ts'
import { overload } from './overload.ts'
import { pages } from './pages.ts'
import { parked } from './parked.ts'
import { read } from './read.ts'
import { readShapes } from './read-shapes.ts'
import { search } from './search.ts'
import { send } from './send.ts'
import { sendCluster } from './send-cluster.ts'
import { sendOAuth } from './send-oauth.ts'
import { sendPeople } from './send-people.ts'
import { sendShapes } from './send-shapes.ts'
import { start } from './start.ts'
import { streaming } from './streaming.ts'
import { streams } from './streams.ts'
import { upload } from './upload.ts'
import { uploadMemory } from './upload-memory.ts'
import { wake } from './wake.ts'
import { webhooks } from './webhooks.ts'
import { workday } from './workday.ts'
import { workers } from './workers.ts'

export const SCENARIOS: readonly Scenario[] = [
  send,
  overload,
  sendOAuth,
  sendPeople,
  sendShapes,
  sendCluster,
  fanOut,
  read,
  readShapes,
  wake,
  parked,
  streams,
  manyStreams,
  streaming,
  webhooks,
  age,
  upload,
  uploadMemory,
  start,
  pages,
  lists,
  chatStart,
  chatLarge,
  chatLive,
  chatScroll,
  chatOpen,
  search,
  workday,
  workers,
]

/** Names that stand for several scenarios. */
export const GROUPS: Record<string, readonly string[]> = {
  chat: ['send-people', 'chat-start', 'chat-large', 'chat-live', 'chat-scroll', 'chat-open', 'search'],
  shapes: ['send-shapes', 'read-shapes', 'streams', 'wake', 'webhooks', 'upload'],
}

/**
 * The figures that `--quick` judges, by scenario. Each is held against a floor that needs the same disk: a ratio of durable writes to a bare
 * server falls by half when the disk is slow.
 */
export const QUICK: Record<string, readonly string[]> = {
  'send-shapes': [
    'one organization',
    'one organization, durable floor',
    'keyed',
    '20 organizations',
    '2 nodes',
  ],
  read: ['read'],
}
