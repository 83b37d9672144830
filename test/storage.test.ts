import { createHash, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer as createStore, type RequestListener } from 'node:http'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { OperatorError } from '../server/errors.ts'
import { DiskStorage } from '../server/files/storage/disk.ts'
import { openStorage } from '../server/files/storage/open.ts'
import { S3Storage } from '../server/files/storage/s3.ts'
import { type Download, NoSuchFile, type Storage } from '../server/files/storage/storage.ts'
import { newUuid } from '../server/ids.ts'
import type { Bucket } from '../server/settings-reader.ts'
import { startTestParley } from './support/parley.ts'

const { S3_TEST_ENDPOINT } = process.env
const bucket: Bucket = {
  name: process.env.S3_TEST_BUCKET ?? 'parley-test',
  region: process.env.S3_TEST_REGION ?? 'us-east-1',
  endpoint: S3_TEST_ENDPOINT,
  credentials: {
    accessKeyId: process.env.S3_TEST_ACCESS_KEY_ID ?? 'minioadmin',
    secretAccessKey: process.env.S3_TEST_SECRET_ACCESS_KEY ?? 'minioadmin',
  },
  prefix: `run-${newUuid()}/`,
  pathStyle: true,
}
const inBucket = S3_TEST_ENDPOINT
  ? 'files in a bucket'
  : 'files in a bucket (skipped: S3_TEST_ENDPOINT names no store to try it with)'

const download: Download = {
  contentType: 'application/pdf',
  disposition: `attachment; filename="plan.pdf"; filename*=UTF-8''Pl%C3%A4ne.pdf`,
  seconds: 60,
}

let home: string
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'parley-storage-'))
})
afterAll(() => rm(home, { recursive: true }))

async function source(content: string | Buffer, folder = home): Promise<string> {
  const path = join(folder, newUuid())
  await writeFile(path, content, { mode: 0o644 })
  return path
}

/** Tests the promises of both stores. */
function keepsItsPromises(storage: () => Storage): void {
  const put = async (key: string, content: string | Buffer) =>
    storage().put(key, await source(content), 'text/plain')

  const read = (key: string) => storage().lend(key, (path) => readFile(path))

  async function fetched(key: string): Promise<Buffer> {
    const place = await storage().locate(key, download)
    if ('path' in place) return readFile(place.path)
    const response = await fetch(place.url)
    expect(response.status).toBe(200)
    return Buffer.from(await response.arrayBuffer())
  }

  it.each([
    ['a small file', 5_000],
    ['an empty file', 0],
    ['a file of exactly one part', 8 * 1024 * 1024],
    ['a large file', 30_000_000],
  ])('gives back %s byte for byte', async (_, size) => {
    const key = newUuid()
    const content = randomBytes(size)
    await put(key, content)
    expect(content.equals(await read(key))).toBe(true)
    expect(content.equals(await fetched(key))).toBe(true)
    await storage().remove(key)
  })

  it('takes the file over', async () => {
    const path = await source('once')
    await storage().put(newUuid(), path, 'text/plain')
    expect(existsSync(path)).toBe(false)
  })

  it('keeps a file and its thumbnail apart', async () => {
    const key = newUuid()
    await put(key, 'picture')
    await put(`${key}.thumb`, 'thumbnail')
    await storage().remove(`${key}.thumb`)
    expect(String(await read(key))).toBe('picture')
    await expect(read(`${key}.thumb`)).rejects.toThrow(NoSuchFile)
  })

  it('replaces a file as a whole', async () => {
    const key = newUuid()
    await put(key, 'a longer first version')
    await put(key, 'second')
    expect(String(await read(key))).toBe('second')
    expect(String(await fetched(key))).toBe('second')
  })

  it('keeps one whole file of two that come at once', async () => {
    const key = newUuid()
    const contents = [randomBytes(9_000_000), randomBytes(9_000_001)]
    await Promise.all(contents.map((content) => put(key, content)))
    const kept = await read(key)
    expect(contents.filter((content) => content.equals(kept))).toHaveLength(1)
  })

  it('keeps what it had when there is nothing to put', async () => {
    const key = newUuid()
    await put(key, 'before')
    await expect(storage().put(key, join(home, 'missing'), 'text/plain')).rejects.toThrow('ENOENT')
    expect(String(await read(key))).toBe('before')
  })

  it('removes a file, and does not mind when it is gone', async () => {
    const key = newUuid()
    await put(key, 'brief')
    await storage().remove(key)
    await storage().remove(key)
    await expect(read(key)).rejects.toThrow(NoSuchFile)
  })

  it('has no file that was never put', async () => {
    const key = newUuid()
    await expect(read(key)).rejects.toThrow(NoSuchFile)
    const status = async () => {
      const place = await storage().locate(key, download)
      return 'url' in place ? (await fetch(place.url)).status : 200
    }
    expect(await status().catch((error) => error.name)).toBeOneOf([404, 'NoSuchFile'])
  })

  it('hands on what the borrower answers, and what goes wrong there', async () => {
    const key = newUuid()
    await put(key, 'lent')
    expect(await storage().lend(key, async () => 42)).toBe(42)
    const clumsy = storage().lend(key, async () => Promise.reject(new Error('dropped')))
    await expect(clumsy).rejects.toThrow('dropped')
    expect(String(await read(key))).toBe('lent')
  })

  it.each(['', '.', '..', '../up', 'a/b', 'a\\b', '.hidden', 'a b', 'ä', 'a\0', 'a\n'])(
    'refuses the key %j',
    async (key) => {
      const path = await source('kept')
      const refused = expect.objectContaining({ message: expect.stringContaining('not a key') })
      await expect(storage().put(key, path, 'text/plain')).rejects.toEqual(refused)
      await expect(read(key)).rejects.toEqual(refused)
      await expect(storage().locate(key, download)).rejects.toEqual(refused)
      await expect(storage().remove(key)).rejects.toEqual(refused)
      expect(existsSync(path)).toBe(true)
    },
  )

  it('finds that files can be kept', async () => {
    await storage().check()
  })
}

async function complaint(storage: Storage): Promise<string> {
  const error: unknown = await storage.check().catch((thrown) => thrown)
  storage.close()
  if (error instanceof OperatorError) return error.message
  throw new Error(`not a word for the operator: ${error}`)
}

describe('files in a folder', () => {
  let folder: string
  let storage: Storage
  beforeAll(async () => {
    folder = join(home, 'data', 'files')
    storage = await openStorage({ s3: undefined, filesDir: folder })
  })
  afterAll(() => storage.close())

  keepsItsPromises(() => storage)

  it('is used where no bucket is set', () => {
    expect(storage).toBeInstanceOf(DiskStorage)
  })

  it('leaves nothing but the file, which others on the machine cannot read', async () => {
    const own = join(home, newUuid())
    const alone = new DiskStorage(own)
    const key = '01890a5d-ac96-774b-bcce-b302099a80c7'
    await alone.check()
    await alone.put(key, await source('first'))
    await alone.put(key, await source('second'))
    await expect(alone.put(key, join(home, 'missing'))).rejects.toThrow('ENOENT')
    expect((await readdir(own, { recursive: true })).sort()).toEqual(['c7', join('c7', key)])
    const modes = await Promise.all([own, join(own, 'c7'), join(own, 'c7', key)].map(modeOf))
    expect(modes).toEqual(['700', '700', '600'])
  })

  it('spreads files, and puts a thumbnail beside its picture', async () => {
    const places = await Promise.all(
      ['01890a5d-ac96-774b-bcce-b302099a8057', '01890a5d-ac96-774b-bcce-b302099a8058.thumb'].map(
        async (key) => {
          await storage.put(key, await source(key), 'text/plain')
          return storage.locate(key, download)
        },
      ),
    )
    expect(places).toEqual([
      { path: join(folder, '57', '01890a5d-ac96-774b-bcce-b302099a8057') },
      { path: join(folder, '58', '01890a5d-ac96-774b-bcce-b302099a8058.thumb') },
    ])
  })

  it('puts up with its folder being emptied', async () => {
    const own = join(home, newUuid())
    const alone = new DiskStorage(own)
    const key = newUuid()
    await alone.put(key, await source('before'))
    await rm(own, { recursive: true })
    await alone.put(key, await source('after'))
    expect(await alone.lend(key, (path) => readFile(path, 'utf8'))).toBe('after')
  })

  it('takes a file over from another disk', async ({ skip }) => {
    const memory = '/dev/shm'
    if (!existsSync(memory) || (await stat(memory)).dev === (await stat(home)).dev)
      skip('there is one disk only')
    const elsewhere = await mkdtemp(join(memory, 'parley-storage-'))
    try {
      const own = join(home, newUuid())
      const alone = new DiskStorage(own)
      await alone.put('key-00', await source('before', elsewhere))
      await alone.put('key-00', await source('travelled', elsewhere))
      expect(await alone.lend('key-00', (path) => readFile(path, 'utf8'))).toBe('travelled')
      expect(await readdir(elsewhere)).toEqual([])
      expect(await readdir(join(own, '00'))).toEqual(['key-00'])
      expect(await modeOf(join(own, '00', 'key-00'))).toBe('600')
    } finally {
      await rm(elsewhere, { recursive: true })
    }
  })

  it('tells the operator which folder cannot be used', async () => {
    const occupied = await source('a file where the folder should be')
    for (const place of [occupied, join(occupied, 'files')]) {
      expect(await complaint(new DiskStorage(place))).toMatch(`Files cannot be kept in ${place} (`)
    }
    expect(await complaint(new DiskStorage(occupied))).toContain('set DATA_DIR')
  })
})

const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8)

describe.skipIf(!S3_TEST_ENDPOINT)(inBucket, () => {
  let folder: string
  let storage: Storage
  let client: S3Client
  beforeAll(async () => {
    folder = join(home, 'beside-the-bucket')
    storage = await openStorage({ s3: bucket, filesDir: folder })
    const { region, endpoint = '', credentials } = bucket
    client = new S3Client({ region, endpoint, ...(credentials && { credentials }), forcePathStyle: true })
    await client.send(new CreateBucketCommand({ Bucket: bucket.name })).catch((error) => {
      if (!/^Bucket.*(Own|Exist)/.test(error.name)) throw error
    })
  })
  afterAll(() => {
    storage.close()
    client.destroy()
  })

  keepsItsPromises(() => storage)

  it('is used where a bucket is set', () => {
    expect(storage).toBeInstanceOf(S3Storage)
  })

  async function linkTo(content: string): Promise<string> {
    const key = newUuid()
    await storage.put(key, await source(content), 'image/png')
    const place = await storage.locate(key, download)
    return 'url' in place ? place.url : ''
  }

  it('sends a download with its type and its name', async () => {
    const { headers } = await fetch(await linkTo('a plan'))
    expect(headers.get('content-type')).toBe(download.contentType)
    expect(headers.get('content-disposition')).toBe(download.disposition)
  })

  it('sends a part of a file', async () => {
    const response = await fetch(await linkTo('0123456789'), { headers: { range: 'bytes=2-5' } })
    expect(response.status).toBe(206)
    expect(response.headers.get('content-range')).toBe('bytes 2-5/10')
    expect(await response.text()).toBe('2345')
  })

  it('accepts a link only as it was made', async () => {
    const url = new URL(await linkTo('secret'))
    expect(url.searchParams.get('X-Amz-Expires')).toBe('60')
    url.searchParams.set('X-Amz-Expires', '600')
    expect((await fetch(url)).status).toBe(403)
  })

  it('lends a file that others on the machine cannot read, and cleans up after', async () => {
    const key = newUuid()
    await storage.put(key, await source('lent'), 'text/plain')
    await storage.lend(key, async (path) => {
      expect(await readdir(join(folder, 'incoming'))).toHaveLength(1)
      expect(await modeOf(path)).toBe('600')
    })
    await storage.lend(key, () => Promise.reject(new Error('dropped'))).catch(() => {})
    expect(await readdir(join(folder, 'incoming'))).toEqual([])
  })

  it('tells the operator of a bucket that is not there, and of keys that do not fit', async () => {
    const other = { ...bucket, name: `parley-${newUuid()}` }
    expect(await complaint(new S3Storage(other, folder))).toContain('S3_BUCKET')
    const stranger = { ...bucket, credentials: { accessKeyId: 'stranger', secretAccessKey: 'stranger' } }
    expect(await complaint(new S3Storage(stranger, folder))).toContain('S3_ACCESS_KEY_ID')
  })
})

const bucketAt = (port: number) =>
  new S3Storage({ ...bucket, endpoint: `http://127.0.0.1:${port}` }, join(home, 'troubled'))

/** A port of the system's that no server of another test is given. */
const NOBODY_LISTENS = 1

describe('a bucket that cannot be reached', () => {
  it('is reported to the operator, with the setting to look at', async () => {
    const began = Date.now()
    const text = await complaint(bucketAt(NOBODY_LISTENS))
    expect(text).toContain(`the bucket ${bucket.name}`)
    expect(text).toMatch(/http:\/\/127\.0\.0\.1:\d+ cannot be reached \(.+\)\. Look at S3_ENDPOINT/)
    expect(Date.now() - began).toBeLessThan(3_000)
  })

  it('does not keep the operator waiting', async () => {
    const port = await listening(createServer())
    const began = Date.now()
    expect(await complaint(bucketAt(port))).toContain('(no answer within 3 seconds). Look at S3_ENDPOINT')
    expect(Date.now() - began).toBeLessThan(6_000)
  })

  it('leaves the file where it was', async () => {
    const path = await source('still here')
    const storage = bucketAt(NOBODY_LISTENS)
    await expect(storage.put(newUuid(), path, 'text/plain')).rejects.toThrow('ECONNREFUSED')
    await expect(storage.lend(newUuid(), async () => 1)).rejects.toThrow('ECONNREFUSED')
    expect(await readFile(path, 'utf8')).toBe('still here')
    expect(await readdir(join(home, 'troubled', 'incoming'))).toEqual([])
    storage.close()
  })
})

describe('a store that refuses half of an upload', () => {
  /** Begins every upload in parts, but refuses the requests that `refused` matches. */
  async function troubledStore(refused: RegExp) {
    const seen: string[] = []
    const store: RequestListener = async (request, response) => {
      const body = await buffer(request)
      const { method = '', url = '', headers } = request
      const step = `${method} ${url.includes('partNumber') ? 'part' : url.includes('uploads') ? 'begin' : 'end'}`
      seen.push(step)
      expect(headers['x-amz-content-sha256']).toBe(createHash('sha256').update(body).digest('hex'))
      if (refused.test(step)) return response.writeHead(403).end()
      response.writeHead(method === 'DELETE' ? 204 : 200, { etag: '"part"' })
      response.end(step === 'POST begin' ? '<R><UploadId>upload-1</UploadId></R>' : '')
    }
    return { seen, port: await listening(createStore(store)) }
  }

  it.each([
    ['a part', /PUT part/],
    ['the end', /POST end/],
  ])('is left with no parts when it is %s', async (_, refused) => {
    const { seen, port } = await troubledStore(refused)
    const storage = bucketAt(port)
    const path = await source(randomBytes(20_000_000))
    await expect(storage.put(newUuid(), path, 'text/plain')).rejects.toMatchObject({
      $metadata: { httpStatusCode: 403 },
    })
    expect([seen.at(0), seen.at(-1)]).toEqual(['POST begin', 'DELETE end'])
    expect((await stat(path)).size).toBe(20_000_000)
    storage.close()
  })

  it('says why, also when it cannot be cleaned up', async () => {
    const { seen, port } = await troubledStore(/PUT part|DELETE/)
    const storage = bucketAt(port)
    const path = await source(randomBytes(9_000_000))
    await expect(storage.put(newUuid(), path, 'text/plain')).rejects.toThrow()
    expect(seen.at(-1)).toBe('DELETE end')
    storage.close()
  })
})

async function listening(server: Server): Promise<number> {
  onTestFinished(() => void server.close())
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  return portOf(server)
}

function portOf(server: Server): number {
  const address = server.address()
  if (typeof address === 'object' && address) return address.port
  throw new Error('the server does not listen')
}

describe('a page', () => {
  const own = { name: 'parley-files', region: 'eu-central-1', endpoint: undefined, pathStyle: false }
  const places: [Partial<Bucket>, string][] = [
    [{}, 'https://parley-files.s3.eu-central-1.amazonaws.com'],
    [{ pathStyle: true }, 'https://s3.eu-central-1.amazonaws.com/parley-files/'],
    [{ name: 'files.example.com' }, 'https://s3.eu-central-1.amazonaws.com/files.example.com/'],
    [{ region: 'cn-north-1' }, 'https://parley-files.s3.cn-north-1.amazonaws.com.cn'],
    [{ endpoint: 'https://store.example:9000', pathStyle: true }, 'https://store.example:9000/parley-files/'],
    [{ endpoint: 'https://store.example' }, 'https://parley-files.store.example'],
  ]

  it.each(places)('may load files of the bucket alone: %j', async (settings, allowed) => {
    const storage = new S3Storage({ ...bucket, ...own, ...settings }, home)
    onTestFinished(() => storage.close())
    expect(await storage.pageSource()).toBe(allowed)
    const place = await storage.locate('a-key', download)
    expect('url' in place && place.url.startsWith(allowed)).toBe(true)
  })

  it('names that bucket in its policy, and no other place', async () => {
    const server = await startTestParley({ s3: { ...bucket, ...own } })
    onTestFinished(() => server.close())
    const policy = (await fetch(`${server.url}/sign-in`)).headers.get('content-security-policy') ?? ''
    expect(policy).toContain("img-src 'self' https://parley-files.s3.eu-central-1.amazonaws.com data: blob:;")
    expect(policy).not.toContain('*')
  })
})
