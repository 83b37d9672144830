import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { call } from '../support/client.ts'
import { startServerProcess, stopAll } from '../support/server-process.ts'
import { mountSmallDisk } from '../support/small-disk.ts'

const folder = mkdtempSync(join(tmpdir(), 'parley-disk-'))
const disk = mountSmallDisk(folder, 256)
if (!disk) {
  rmSync(folder, { recursive: true })
  console.log('skipped: a full disk needs the right to mount one (root)')
}
const MAX_WRITES = 4000

describe.skipIf(!disk)('a server whose disk is full', () => {
  afterAll(async () => {
    await stopAll()
    disk?.unmount()
    rmSync(folder, { recursive: true, force: true })
  })

  it('refuses writes with words, goes on reading, and writes again when there is room', async () => {
    const dataDir = join(folder, 'data')
    const { url } = await startServerProcess({ DATA_DIR: dataDir })
    const signup = await call(url, undefined, 'POST', '/v2/agentic/organization/create', {
      body: {
        companyName: 'Labs',
        humanEmail: 'ada@example.com',
        companySize: 3,
        industry: 'Software',
        botName: 'Bot',
      },
    })
    const { channelId, credentials } = Object(signup.body)
    const send = () =>
      call(url, credentials, 'POST', '/v2/messages', {
        body: { topicId: channelId, text: 'x'.repeat(10_000) },
      })
    expect((await send()).status).toBe(201)

    await disk?.fill()
    let refused = await send()
    for (let writes = 1; refused.status === 201 && writes < MAX_WRITES; writes++) refused = await send()
    expect([refused.status, refused.body]).toEqual([503, 'the disk of the server is full'])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await call(url, credentials, 'GET', '/v2/members/me')).status).toBe(200)
    const doctor = spawnSync(process.execPath, ['bin/parley.mjs', 'doctor'], {
      env: { PATH: process.env.PATH, DATA_DIR: dataDir },
    })
    expect(doctor.stdout.toString()).toMatch(/Data folder\s+the disk of .* is full/)

    await disk?.empty()
    await expect.poll(async () => (await send()).status).toBe(201)
  })
})
