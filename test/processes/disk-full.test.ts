import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { call } from '../support/client.ts'
import { startServerProcess, stopAll } from '../support/server-process.ts'

/** A disk of its own, which only root can make. */
const disk = mkdtempSync(join(tmpdir(), 'parley-disk-'))
const isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=256m', 'tmpfs', disk]).status === 0
if (!isMounted) {
  rmSync(disk, { recursive: true })
  console.log('skipped: a full disk needs the right to mount one (root)')
}
const MAX_WRITES = 4000

describe.skipIf(!isMounted)('a server whose disk is full', () => {
  afterAll(async () => {
    await stopAll()
    spawnSync('umount', [disk])
    rmSync(disk, { recursive: true, force: true })
  })

  it('refuses writes with words, goes on reading, and writes again when there is room', async () => {
    const dataDir = join(disk, 'data')
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

    const filler = join(disk, 'filler')
    await fill(filler)
    let refused = await send()
    for (let writes = 1; refused.status === 201 && writes < MAX_WRITES; writes++) refused = await send()
    expect([refused.status, refused.body]).toEqual([503, 'the disk of the server is full'])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await call(url, credentials, 'GET', '/v2/members/me')).status).toBe(200)
    const doctor = spawnSync(process.execPath, ['bin/parley.mjs', 'doctor'], {
      env: { PATH: process.env.PATH, DATA_DIR: dataDir },
    })
    expect(doctor.stdout.toString()).toMatch(/Data folder\s+the disk of .* is full/)

    await rm(filler)
    await expect.poll(async () => (await send()).status).toBe(201)
  })
})

/** To the last byte. */
async function fill(path: string): Promise<void> {
  const file = await open(path, 'w')
  const chunk = Buffer.alloc(64 * 1024, 1)
  try {
    for (let size = chunk.length; size > 0; ) {
      const { bytesWritten } = await file.write(chunk, 0, size).catch(() => ({ bytesWritten: 0 }))
      if (bytesWritten === 0) size = Math.floor(size / 2)
    }
  } finally {
    await file.close()
  }
}
