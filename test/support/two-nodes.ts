import { afterAll, beforeAll } from 'vitest'
import { LOOK_MS } from '../../server/background/message-retention.ts'
import type { Parley } from '../../server/parley.ts'
import { type ChatCast, chatCast } from './chat-cast.ts'
import { startJobs } from './jobs.ts'
import { startTestParley, type TestParley } from './parley.ts'

/* Two nodes of one database with a cast, for background work that either node may do. */

export let server: TestParley
export let beside: TestParley
export let cast: ChatCast
let jobs: { stop(): Promise<void> }

/** Opens them for the tests of a file, and closes them afterwards. Files share this module, so each of them has to ask. */
export function openTwoNodes(): void {
  beforeAll(async () => {
    server = await startTestParley()
    beside = await server.secondNode()
    jobs = startJobs(server)
    cast = await chatCast(server)
  })
  afterAll(async () => {
    cast.close()
    await jobs.stop()
    await server.close()
  })
}

export const organization = () => `/people/organizations/${cast.orgId}`
export const lastAudit = async () =>
  Object((await cast.ada.get(`${organization()}/audit?limit=1`)).body).entries[0]

export function wait(milliseconds: number): void {
  for (const { clock } of [server, beside]) clock.ahead += milliseconds
}

/** Makes the nodes look at the same time, until nothing is left to do. */
export async function lookWith(work: (parley: Parley) => Promise<number>): Promise<void> {
  for (let rest = 0; rest !== LOOK_MS; )
    rest = Math.max(...(await Promise.all([server, beside].map(({ parley }) => work(parley)))))
}
