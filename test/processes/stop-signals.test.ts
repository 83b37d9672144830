import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { migratedFolder } from '../support/migrated-folder.ts'
import { startServerProcess, stopAll } from '../support/server-process.ts'

/** A time so long that a test that waits for it would not end. */
const DRAIN_MS = '3600000'
/** Faster signals count as one. */
const APART_MS = 600

let folder: string
beforeAll(async () => {
  folder = await migratedFolder('parley-signals-')
})
afterAll(async () => {
  await stopAll()
  await rm(folder, { recursive: true, force: true })
})

it('a second signal ends the time in which a node says that it stops', async () => {
  const { process: node, url } = await startServerProcess({ DATA_DIR: folder, DRAIN_MS })
  const ended = once(node, 'exit')
  node.kill('SIGTERM')
  await eventually(async () => (await fetch(`${url}/health/ready`)).status).toBe(503)
  await sleep(APART_MS)
  expect((await fetch(`${url}/health/live`)).status).toBe(200)
  node.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
})

it('Ctrl-C does not wait for load balancers', async () => {
  const { process: node } = await startServerProcess({ DATA_DIR: folder, DRAIN_MS })
  const ended = once(node, 'exit')
  node.kill('SIGINT')
  expect(await ended).toEqual([0, null])
})
