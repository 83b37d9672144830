import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { loadSecretKeys, newSecretKey, writeSecretKeys } from '../server/keys/key-file.ts'

describe('the key file', () => {
  let dataDir: string
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'parley-key-'))
  })
  afterEach(() => rm(dataDir, { recursive: true }))

  const load = () => loadSecretKeys({ dataDir, secretKey: undefined, secretKeyPrevious: undefined })

  it('is made once, however many start at once', async () => {
    const all = await Promise.all(Array.from({ length: 50 }, load))
    expect(new Set(all.flat()).size).toBe(1)
    expect(await readdir(dataDir)).toEqual(['secret.key'])
  })

  it('holds the last written keys, however many read it at the same time', async () => {
    const [first] = await load()
    const known = [first]
    for (let change = 0; change < 20; change++) {
      known.unshift(newSecretKey())
      const reading = Array.from({ length: 20 }, load)
      await writeSecretKeys(dataDir, known)
      for (const keys of await Promise.all(reading)) expect(known).toEqual(expect.arrayContaining(keys))
      expect(await load()).toEqual(known)
    }
    expect(await readdir(dataDir)).toEqual(['secret.key'])
  })
})
