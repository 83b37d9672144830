import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../server/db/sql.ts'
import { newUuid } from '../server/ids.ts'
import { type OAuthTestBot, oauthBot, organization, type StaticTestBot, staticBot } from './support/cast.ts'
import { call } from './support/client.ts'
import { type FormFile, form, upload } from './support/forms.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import {
  claimingPng,
  colourAt,
  HTML,
  JPEG,
  moving,
  PDF,
  PNG,
  photo,
  plain,
  SVG,
  stripes,
} from './support/samples.ts'
import { download, traces } from './support/uploads.ts'

const MB = 1024 * 1024

let server: TestParley
let deploy: StaticTestBot
let calendar: OAuthTestBot

beforeAll(async () => {
  server = await startTestParley({ trustProxy: ['127.0.0.1'], agentSignupPerMinute: 1 })
  const orgId = await organization(server)
  deploy = await staticBot(server, orgId, 'Deploy bot')
  calendar = await oauthBot(server, orgId, 'Calendar bot')
})
afterAll(() => server.close())

async function count(table: 'topics' | 'organizations'): Promise<number> {
  const from = table === 'topics' ? sql`topics` : sql`organizations`
  const [row] = await server.parley.db.query<{ count: number }>(sql`select count(*) from ${from}`)
  return row?.count ?? 0
}

/** The image padded to this size; bytes after the end of an image are ignored. */
const padded = (image: Buffer, size: number) => Buffer.concat([image, Buffer.alloc(size - image.length)])

const PICTURE = 'filePart must be a JPEG or PNG image'
const HUGE = { content: claimingPng(30_000, 30_000) }
const TOO_LARGE_PICTURE = 'image must be at most 4096 by 4096 pixels'
const NOT_PICTURES: [string, string, FormFile][] = [
  [PICTURE, 'a GIF', { content: await plain().gif().toBuffer(), name: 'cover.gif' }],
  [PICTURE, 'a WebP', { content: await moving('webp'), name: 'cover.webp' }],
  [PICTURE, 'an SVG', { content: SVG, name: 'cover.svg' }],
  [PICTURE, 'HTML named .png', { content: HTML, name: 'cover.png', type: 'image/png' }],
  [PICTURE, 'a PDF', { content: PDF }],
  ['Invalid image', 'a PNG that breaks off', { content: PNG.subarray(0, -30) }],
  ['Invalid image', 'a JPEG that breaks off', { content: JPEG.subarray(0, -30) }],
  ['file is empty', 'nothing', { content: '', name: 'cover.png' }],
]

describe("a topic's cover", () => {
  const create = (
    files: readonly FormFile[],
    meta: Record<string, unknown> = {},
    bot: StaticTestBot | OAuthTestBot = deploy,
  ) => upload(bot, '/v2/topics', { name: 'Releases', members: [], ...meta }, files)
  const topicOf = async (files: readonly FormFile[]) => {
    const created = await create(files)
    expect(created.status, created.text).toBe(201)
    return Object((await deploy.get(`/v2/topics/${Object(created.body).id}`)).body)
  }
  const coverOf = async (content: Buffer) => download((await topicOf([{ content }])).coverUrl)

  it('is shown with the topic, in lists and by its external id', async () => {
    for (const bot of [deploy, calendar]) {
      const created = await create([{ content: PNG, name: 'cover.png' }], { externalId: 'covered' }, bot)
      expect(created.status, created.text).toBe(201)
      const { id } = Object(created.body)
      const [list, single, external] = await Promise.all(
        ['/v2/topics?limit=1', `/v2/topics/${id}`, '/v2/topics/external/covered'].map((path) =>
          bot.get(path),
        ),
      )
      for (const topic of [Object(list?.body).topics[0], single?.body, external?.body]) {
        expect(topic).toMatchObject({
          id,
          coverUrl: expect.stringContaining(`${server.url}/attachments/att_`),
        })
        expect((await sharp(await download(topic.coverUrl)).metadata()).format).toBe('jpeg')
      }
      const renamed = await bot.patch(`/v2/topics/${id}`, { name: 'Covered' })
      expect(renamed.body).toHaveProperty('coverUrl')
    }
  })

  it('is inline, and an image', async () => {
    const { coverUrl } = await topicOf([{ content: PNG }])
    const { headers } = await fetch(coverUrl)
    expect([headers.get('content-type'), headers.get('content-disposition')]).toEqual([
      'image/jpeg',
      'inline; filename=cover.jpg',
    ])
  })

  it('may be left out, in a form as in JSON', async () => {
    expect(await topicOf([])).not.toHaveProperty('coverUrl')
    const created = await deploy.post('/v2/topics', { name: 'Releases', members: [] })
    expect(created.status).toBe(201)
    expect((await deploy.get(`/v2/topics/${Object(created.body).id}`)).body).not.toHaveProperty('coverUrl')
  })

  it.each([
    ['wide', 'across', 90, 30],
    ['high', 'down', 30, 90],
  ] as const)('is the middle of an image that is %s', async (_, direction, width, height) => {
    const cover = await coverOf(await stripes(width, height, direction))
    expect(await sharp(cover).metadata()).toMatchObject({ width: 30, height: 30, format: 'jpeg' })
    for (const [left, top] of [
      [3, 3],
      [15, 15],
      [26, 26],
    ] as const) {
      expect(await colourAt(cover, left, top)).toBe('green')
    }
  })

  it('is turned as the camera says, and does not tell where it was taken', async () => {
    const cover = await coverOf(await photo(await stripes(60, 60)))
    const colours = await Promise.all([10, 30, 50].map((top) => colourAt(cover, 30, top)))
    expect(colours).toEqual(['red', 'green', 'blue'])
    expect((await sharp(cover).metadata()).exif).toBeUndefined()
    const narrow = await coverOf(await photo(await stripes(90, 30)))
    expect(await colourAt(narrow, 15, 15)).toBe('green')
    expect(await colourAt(narrow, 15, 2)).toBe('green')
  })

  it('is white where it could be seen through', async () => {
    const glass = { width: 8, height: 8, channels: 4 as const, background: { r: 0, g: 0, b: 0, alpha: 0 } }
    const cover = await coverOf(await sharp({ create: glass }).png().toBuffer())
    expect((await sharp(cover).stats()).channels.map(({ min }) => min > 250)).toEqual([true, true, true])
  })

  it('may be 4096 wide and high, and no more', async () => {
    expect((await create([{ content: await plain(4096, 16).png().toBuffer() }])).status).toBe(201)
    expect((await create([{ content: await plain(16, 4096).jpeg().toBuffer() }])).status).toBe(201)
    for (const [width, height] of [
      [4097, 16],
      [16, 4097],
    ] as const) {
      const answer = await create([{ content: await plain(width, height).png().toBuffer() }])
      expect([answer.status, answer.body]).toEqual([400, TOO_LARGE_PICTURE])
    }
  })

  it('may have 8 MB, and no more', async () => {
    expect((await create([{ content: padded(JPEG, 8 * MB) }])).status).toBe(201)
    const answer = await create([{ content: padded(JPEG, 8 * MB + 1) }])
    expect([answer.status, answer.body]).toEqual([400, 'file too large'])
  })

  it.each([
    ...NOT_PICTURES,
    [TOO_LARGE_PICTURE, 'a PNG that claims to be huge', HUGE],
    ['too many files', 'two covers', undefined],
  ] as const)('is refused with "%s": %s, and there is no topic', async (words, _, file) => {
    const before = { topics: await count('topics'), ...(await traces(server)) }
    const answer = await create(file ? [file] : [{ content: PNG }, { content: PNG }])
    expect([answer.status, answer.body]).toEqual([400, words])
    expect({ topics: await count('topics'), ...(await traces(server)) }).toEqual(before)
  })

  it('is not kept where the topic is refused', async () => {
    await create([], { externalId: 'taken' })
    const before = { topics: await count('topics'), ...(await traces(server)) }
    for (const [words, meta] of [
      ['name is required', { name: '' }],
      ['Invalid member', { members: [newUuid()] }],
      ['externalId already exists', { externalId: 'taken' }],
    ] as const) {
      const answer = await create([{ content: PNG }], meta)
      expect([answer.status, answer.body]).toEqual([400, words])
    }
    expect({ topics: await count('topics'), ...(await traces(server)) }).toEqual(before)
  })

  it('comes once for one idempotency key', async () => {
    const { body, contentType } = form({ name: 'Once', members: [] }, [{ content: PNG }])
    const headers = { 'content-type': contentType, 'Idempotency-Key': 'cover-1' }
    const first = await deploy.post('/v2/topics', body, { headers })
    const before = await traces(server)
    const again = await deploy.post('/v2/topics', body, { headers })
    expect([again.status, again.text]).toEqual([201, first.text])
    expect(await traces(server)).toEqual(before)
  })

  it('that cannot be stored costs the cover, not the topic', async () => {
    const { filesDir } = server.parley.config
    const folders = Array.from({ length: 256 }, (_, byte) =>
      join(filesDir, byte.toString(16).padStart(2, '0')),
    )
    const present = new Set((await readdir(filesDir)).map((name) => join(filesDir, name)))
    const blocked = folders.filter((folder) => !present.has(folder))
    await Promise.all(blocked.map((folder) => writeFile(folder, 'a file where a folder is to be made')))
    try {
      // Some folders exist already; storing into one of them does not fail.
      for (let tries = 0; ; tries++) {
        const topic = await topicOf([{ content: PNG }])
        if (topic.coverUrl === undefined) break
        expect(tries).toBeLessThan(20)
      }
    } finally {
      await Promise.all(blocked.map((folder) => rm(folder)))
    }
    expect(server.logLines.join('')).toContain('a picture could not be stored')
    expect(await readdir(server.parley.files.incoming)).toEqual([])
  })
})

describe("an organization's logo", () => {
  const SIGNUP = '/v2/agentic/organization/create'
  let lastAddress = 0
  const newAddress = () => `203.0.113.${++lastAddress}`
  const signup = () => ({
    companyName: 'Lighthouse Labs',
    humanEmail: `${newUuid()}@example.com`,
    companySize: 12,
    industry: 'Software',
    botName: 'Deploy bot',
  })

  function create(
    files: readonly FormFile[],
    { address = newAddress(), metaPart = 'metadata', meta = signup() as unknown } = {},
  ) {
    const { body, contentType } = form(meta, files, { metaPart })
    const headers = { 'content-type': contentType, 'X-Forwarded-For': address }
    return call(server.url, undefined, 'POST', SIGNUP, { body, headers })
  }

  async function logoOf(organizationId: string): Promise<Buffer | undefined> {
    const [row] = await server.parley.db.query<{ logo_file_id: string | null }>(
      sql`select logo_file_id from organizations where org_id = ${organizationId}`,
    )
    const id = row?.logo_file_id
    return id ? server.parley.files.storage.lend(id, (path) => sharp(path).toBuffer()) : undefined
  }

  it.each([
    ['metadata', JPEG, 'jpeg'],
    ['metaPart', PNG, 'png'],
  ])('is kept, with the rest in %s', async (metaPart, content, format) => {
    const answer = await create([{ content }], { metaPart })
    expect(answer.status, answer.text).toBe(201)
    const logo = await logoOf(Object(answer.body).organizationId)
    expect(await sharp(logo).metadata()).toMatchObject({ format, width: 12, height: 8 })
  })

  it('does not tell where it was taken, and is no larger than it is shown', async () => {
    const answer = await create([{ content: await photo(await stripes(1200, 600)) }])
    const logo = await logoOf(Object(answer.body).organizationId)
    expect(await sharp(logo).metadata()).toMatchObject({ width: 256, height: 512 })
    expect((await sharp(logo).metadata()).exif).toBeUndefined()
  })

  it('may be left out, in a form as in JSON', async () => {
    const answer = await create([])
    expect(answer.status).toBe(201)
    expect(await logoOf(Object(answer.body).organizationId)).toBeUndefined()
    const headers = { 'X-Forwarded-For': newAddress() }
    expect((await call(server.url, undefined, 'POST', SIGNUP, { body: signup(), headers })).status).toBe(201)
  })

  it('may be 4096 wide and high, and no more', async () => {
    expect((await create([{ content: await plain(4096, 16).png().toBuffer() }])).status).toBe(201)
    for (const [width, height] of [
      [4097, 16],
      [16, 4097],
    ] as const) {
      const answer = await create([{ content: await plain(width, height).jpeg().toBuffer() }])
      expect([answer.status, answer.body]).toEqual([400, TOO_LARGE_PICTURE])
    }
  })

  it('may have 5 MB, and no more', async () => {
    expect((await create([{ content: padded(JPEG, 5 * MB) }])).status).toBe(201)
    const answer = await create([{ content: padded(JPEG, 5 * MB + 1) }])
    expect([answer.status, answer.body]).toEqual([400, 'file too large'])
  })

  it.each([...NOT_PICTURES, [TOO_LARGE_PICTURE, 'a PNG that claims to be huge', HUGE]] as const)(
    'is refused with "%s": %s; nothing is founded, and it may be tried again',
    async (words, _, file) => {
      const before = { organizations: await count('organizations'), ...(await traces(server)) }
      const address = newAddress()
      const answer = await create([file], { address })
      expect([answer.status, answer.body]).toEqual([400, words])
      expect({ organizations: await count('organizations'), ...(await traces(server)) }).toEqual(before)
      expect((await create([], { address })).status).toBe(201)
      expect((await create([], { address })).status).toBe(429)
    },
  )

  it('is not kept where the rest is refused', async () => {
    const before = { organizations: await count('organizations'), ...(await traces(server)) }
    for (const [words, wanted] of [
      ['metadata is required', { metaPart: 'comment' }],
      ['malformed JSON', { meta: '{' }],
      ['invalid humanEmail', { meta: { ...signup(), humanEmail: 'ada' } }],
    ] as const) {
      const answer = await create([{ content: PNG }], wanted)
      expect([answer.status, answer.body]).toEqual([400, words])
    }
    expect({ organizations: await count('organizations'), ...(await traces(server)) }).toEqual(before)
  })

  it('is not kept for an address that must wait', async () => {
    const address = newAddress()
    expect((await create([{ content: PNG }], { address })).status).toBe(201)
    const before = await traces(server)
    expect((await create([{ content: PNG }], { address })).status).toBe(429)
    expect(await traces(server)).toEqual(before)
  })
})
