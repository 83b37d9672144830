import type { Scenario } from '../scenario.ts'
import { age } from './age.ts'
import { fanOut } from './fan-out.ts'
import { pages } from './pages.ts'
import { parked } from './parked.ts'
import { read } from './read.ts'
import { send } from './send.ts'
import { sendOAuth } from './send-oauth.ts'
import { start } from './start.ts'
import { upload } from './upload.ts'
import { uploadMemory } from './upload-memory.ts'
import { wake } from './wake.ts'
import { webhooks } from './webhooks.ts'

export const SCENARIOS: readonly Scenario[] = [
  send,
  sendOAuth,
  fanOut,
  read,
  wake,
  parked,
  webhooks,
  age,
  upload,
  uploadMemory,
  start,
  pages,
]

/** What CI runs: in under a minute. */
export const QUICK: readonly string[] = ['send', 'read', 'wake']
