import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../server/db/sql.ts'
import { organization, type StaticTestBot, staticBot } from './support/cast.ts'
import { chatOf, refusal } from './support/chat.ts'
import { form } from './support/forms.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { signInAs, type TestPerson } from './support/people.ts'
import { JPEG, PDF, PNG, plain, SVG } from './support/samples.ts'
import { openStream, type TestStream } from './support/stream.ts'

let server: TestParley
let orgId: string
let ada: TestPerson
let ben: TestPerson
let boss: TestPerson
let stranger: TestPerson
let bot: StaticTestBot

beforeAll(async () => {
  server = await startTestParley()
  orgId = await organization(server)
  ada = await signInAs(server, { orgId, name: 'Ada' })
  ben = await signInAs(server, { orgId, name: 'Ben' })
  boss = await signInAs(server, { orgId, name: 'Boss', role: 'admin' })
  stranger = await signInAs(server, { orgId: await organization(server, 'Elsewhere'), name: 'Stranger' })
  bot = await staticBot(server, orgId)
})
afterAll(() => server.close())

const upload = (who: TestPerson, path: string, content: Buffer | string, metadata = {}) => {
  const { body, contentType } = form(metadata, [{ content, name: 'picture.jpg' }], { metaPart: 'metadata' })
  return chatOf(who).post(path, body, { headers: { 'content-type': contentType } })
}
const profileOf = async (who: TestPerson, memberId: string) =>
  Object((await chatOf(who).get(`members/${memberId}`)).body)

/** The status of a picture's address, and what it leads to. */
async function picture(who: TestPerson, fileId: string) {
  const cookie = [...who.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const address = `${who.url}/people/organizations/${who.orgId}/chat/pictures/${fileId}`
  const response = await fetch(address, { headers: { cookie }, redirect: 'manual' })
  const location = response.headers.get('location')
  const shown = location === null ? undefined : await fetch(location)
  return { status: response.status, type: shown?.headers.get('content-type') }
}

/** A stream that hears of everything from now on. */
async function startedStream(who: TestPerson, organization: string): Promise<TestStream> {
  const stream = await openStream(who, organization)
  await stream.next(({ event }) => event === 'reset')
  return stream
}

describe('a profile', () => {
  it('has what a person says about themselves, and all members get an event', async () => {
    const stream = await startedStream(ben, orgId)
    const about = { title: 'Release manager', statusText: '🌴 Back on Monday', timeZone: 'Europe/Berlin' }
    expect((await chatOf(ada).patch('me', about)).body).toMatchObject({ id: ada.profileId, ...about })
    expect(await profileOf(ben, ada.profileId)).toMatchObject({ name: 'Ada', ...about })
    await stream.next(
      ({ event, data }) => event === 'member.updated' && Object(data).member.title === about.title,
    )
    const seen = stream.seen.length
    await chatOf(ada).patch('me', about)
    expect((await chatOf(ada).patch('me', { statusText: '' })).body).not.toHaveProperty('statusText')
    const told = await stream.next(
      ({ event, data }) => event === 'member.updated' && Object(data).member.statusText === undefined,
    )
    expect(stream.seen.indexOf(told), 'what changes nothing is not told').toBe(seen)
    stream.close()
    expect(await profileOf(ben, ada.profileId)).toMatchObject({ title: about.title })
  })

  it.each([
    [{ timeZone: 'Mars/Olympus' }, 'unknown time zone'],
    [{ title: 'x'.repeat(101) }, 'title too long'],
    [{ statusText: 'two\nlines' }, 'Invalid statusText'],
  ])('refuses %o', async (change, text) => {
    const before = await profileOf(ada, ada.profileId)
    expect(refusal(await chatOf(ada).patch('me', change))).toMatchObject({ status: 400, body: text })
    expect(await profileOf(ada, ada.profileId)).toEqual(before)
  })

  it('has a photo, which only its organization sees, until it is removed', async () => {
    const set = await upload(ada, 'me/photo', JPEG)
    expect(set.status, set.text).toBe(200)
    const { photoId } = Object(set.body)
    expect((await profileOf(ben, ada.profileId)).photoId).toBe(photoId)
    expect(await picture(ben, photoId)).toEqual({ status: 302, type: 'image/jpeg' })
    expect((await picture(stranger, photoId)).status).toBe(404)
    expect((await picture(ben, 'nothing')).status).toBe(404)
    expect(refusal(await upload(ada, 'me/photo', PDF)).status).toBe(400)
    const again = Object((await upload(ada, 'me/photo', PNG)).body).photoId
    expect(again).not.toBe(photoId)
    expect((await picture(ben, photoId)).status).toBe(404)
    const [former] = await server.parley.db.query<{ sweep_at: number | null }>(sql`
      select sweep_at from stored_files where id = ${photoId}`)
    expect(former?.sweep_at, 'swept').not.toBeNull()
    expect((await chatOf(ada).delete('me/photo')).status).toBe(204)
    expect(await profileOf(ben, ada.profileId)).not.toHaveProperty('photoId')
  })

  it('of a bot has a photo that an admin sets, shown to people in the chat and the console', async () => {
    const path = `/people/organizations/${orgId}/bots/${bot.id}/photo`
    const send = (who: TestPerson, content: Buffer | string, to = path) => {
      const { body, contentType } = form({}, [{ content, name: 'bot.png' }], { metaPart: 'metadata' })
      return who.post(to, body, { headers: { 'content-type': contentType } })
    }
    expect((await send(ada, PNG)).status, 'nobody but admins').toBe(403)
    expect(refusal(await send(boss, PDF)).status).toBe(400)
    expect((await send(boss, PNG, path.replace(bot.id, ada.profileId))).status, 'not of a person').toBe(404)
    expect(await profileOf(ada, bot.id)).not.toHaveProperty('photoId')
    const stream = await startedStream(ben, orgId)
    const set = await send(boss, PNG)
    expect(set.status, set.text).toBe(200)
    const { photoId } = Object(set.body)
    await stream.next(
      ({ event, data }) => event === 'member.updated' && Object(data).member.photoId === photoId,
    )
    stream.close()
    expect((await profileOf(ada, bot.id)).photoId).toBe(photoId)
    expect((await picture(ben, photoId)).status).toBe(302)
    expect((await picture(stranger, photoId)).status).toBe(404)
    const listed = Object((await boss.get(`/people/organizations/${orgId}/bots`)).body).bots
    expect(listed.find(({ id }: { id: string }) => id === bot.id).photoId).toBe(photoId)
    expect((await boss.delete(path)).status).toBe(204)
    expect(await profileOf(ada, bot.id)).not.toHaveProperty('photoId')
    expect((await picture(ben, photoId)).status).toBe(404)
  })

  it('of a bot says what it is for, whose it is, and what it may do', async () => {
    expect((await profileOf(ada, bot.id)).bot).toEqual({
      description: '',
      ownerId: null,
      mayWrite: true,
      scopes: null,
      topics: 0,
    })
    const made = await boss.post(`/people/organizations/${orgId}/bots`, {
      name: 'Reader',
      description: 'Counts things.',
      credential: 'oauth',
      scopes: ['message:read', 'channel:list'],
      delivery: 'polling',
    })
    const { id } = Object(made.body).bot
    expect((await profileOf(ada, id)).bot).toEqual({
      description: 'Counts things.',
      ownerId: boss.profileId,
      mayWrite: false,
      scopes: ['message:read', 'channel:list'],
      topics: 0,
    })
    await boss.patch(`/people/organizations/${orgId}/bots/${encodeURIComponent(id)}`, {
      description: 'Reads.',
    })
    expect((await profileOf(ada, id)).bot.description).toBe('Reads.')
    expect(refusal(await chatOf(stranger).get(`members/${id}`)).status).toBe(404)
  })
})

describe('the cover of a topic', () => {
  it('is set and removed by its members, visible to readers of the topic, and an event for people alone', async () => {
    const { id } = Object((await bot.post('/v2/topics', { name: 'Covered', members: [ada.profileId] })).body)
    const set = await upload(ada, `topics/${id}/cover`, JPEG)
    expect(set.status, set.text).toBe(200)
    const { coverId } = Object(set.body)
    expect((await picture(ada, coverId)).status).toBe(302)
    expect((await picture(ben, coverId)).status, 'not in it').toBe(404)
    expect((await bot.get(`/v2/topics/${id}`)).body).toHaveProperty('coverUrl')
    expect((await upload(ben, `topics/${id}/cover`, PNG)).status).toBe(404)
    expect((await chatOf(ada).delete(`topics/${id}/cover`)).status).toBe(204)
    expect((await bot.get(`/v2/topics/${id}`)).body).not.toHaveProperty('coverUrl')
    const events = await server.parley.db.query<{ data: { changes: unknown }; bots: string[] }>(sql`
      select data, bot_ids as bots from events where topic_id = ${id} and type = 'topic.updated' order by seq`)
    expect(events.map(({ data, bots }) => [data.changes, bots])).toEqual([
      [{ coverId }, []],
      [{ coverId: null }, []],
    ])
  })
})

describe("an organization's own emoji", () => {
  const add = (who: TestPerson, name: string, content: Buffer | string = PNG) =>
    upload(who, 'emoji', content, { name })
  const startOf = async (who: TestPerson) => Object((await chatOf(who).get('start')).body).emoji

  it('is there for everybody in it, in messages and reactions, of people and bots', async () => {
    const stream = await startedStream(ben, orgId)
    const added = await add(ada, 'parrot', await moving())
    expect(added.status, added.text).toBe(201)
    const { pictureId } = Object(added.body)
    expect(added.body).toEqual({
      name: 'parrot',
      pictureId,
      createdBy: ada.profileId,
      createdAt: expect.any(Number),
    })
    await stream.next(({ event, data }) => event === 'emoji.changed' && Object(data).pictureId === pictureId)
    stream.close()
    expect(await startOf(ben)).toEqual([{ name: 'parrot', pictureId }])
    expect((await chatOf(ben).get('emoji')).body).toEqual({ emoji: [added.body] })
    expect(await picture(ben, pictureId)).toEqual({ status: 302, type: 'image/webp' })
    expect((await picture(stranger, pictureId)).status).toBe(404)
    expect(await startOf(stranger)).toEqual([])

    const topic = Object(
      (await chatOf(ada).post('topics', { name: 'Birds', members: [ben.profileId, bot.id] })).body,
    )
    const said = Object((await chatOf(ada).post('messages', { topicId: topic.id, text: 'Look' })).body)
    const reacted = await chatOf(ben).post(`messages/${said.id}/reactions`, { reaction: ':parrot:' })
    expect(reacted.status, reacted.text).toBe(201)
    expect((await bot.post(`/v2/messages/${said.id}/reactions`, { reaction: ':parrot:' })).status).toBe(201)
    expect(Object((await bot.get(`/v2/messages/${said.id}`)).body).reactions).toEqual([
      { emoji: ':parrot:', count: 2 },
    ])
    const [{ url, ...listed }] = Object((await bot.get('/v2/emoji')).body).emoji
    expect(listed).toEqual({ name: 'parrot', createdBy: ada.profileId, createdAt: expect.any(Number) })
    expect((await fetch(url)).headers.get('content-type')).toBe('image/webp')
    const elsewhere = await staticBot(server, await organization(server))
    expect((await elsewhere.get('/v2/emoji')).body).toEqual({ emoji: [] })
    for (const reaction of [':crow:', ':parrot', 'parrot', ':Parrot:', ':parrot::parrot:']) {
      const refused = await bot.post(`/v2/messages/${said.id}/reactions`, { reaction })
      expect(refusal(refused)).toMatchObject({ status: 400, body: 'reaction must be one emoji' })
    }
  })

  it('keeps moving, made small', async () => {
    const [listed] = await startOf(ada)
    const cookie = [...ada.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const address = `${ada.url}/people/organizations/${orgId}/chat/pictures/${listed.pictureId}`
    const asked = await fetch(address, { method: 'HEAD', headers: { cookie }, redirect: 'manual' })
    expect(asked.status).toBe(302)
    const shown = await fetch(address, { headers: { cookie } })
    const { width, pages, pageHeight } = await sharp(Buffer.from(await shown.arrayBuffer()), {
      animated: true,
    }).metadata()
    expect({ width, pages, pageHeight }).toEqual({ width: 128, pages: 3, pageHeight: 128 })
  })

  it.each([
    ['parrot', PNG, 'an emoji of this name exists already'],
    ['Parrot', PNG, 'name must be 2 to 30 small letters, digits, _, + or -'],
    ['p', PNG, 'name must be 2 to 30 small letters, digits, _, + or -'],
    ['paper', PDF, 'filePart must be a JPEG, PNG, GIF or WebP image'],
    ['drawing', SVG, 'filePart must be a JPEG, PNG, GIF or WebP image'],
    ['broken', PNG.subarray(0, 60), 'Invalid image'],
  ])('refuses %s', async (name, content, text) => {
    const before = (await chatOf(ada).get('emoji')).body
    expect(refusal(await add(ben, name, content))).toMatchObject({ status: 400, body: text })
    expect((await chatOf(ada).get('emoji')).body).toEqual(before)
  })

  it('is removed by its creator and by admins; messages with it keep its name', async () => {
    const forbidden = { status: 403, body: 'only who added it and admins may remove an emoji' }
    expect(refusal(await chatOf(ben).delete('emoji/parrot'))).toMatchObject(forbidden)
    await add(ben, 'heron')
    expect((await chatOf(ben).delete('emoji/heron')).status).toBe(204)
    expect(refusal(await chatOf(ben).delete('emoji/heron'))).toMatchObject({ status: 404 })
    const [{ pictureId }] = await startOf(ada)
    const stream = await startedStream(ada, orgId)
    expect((await chatOf(boss).delete('emoji/parrot')).status).toBe(204)
    await stream.next(({ event, data }) => event === 'emoji.changed' && Object(data).pictureId === null)
    stream.close()
    expect(await startOf(ada)).toEqual([])
    expect((await picture(ada, pictureId)).status).toBe(404)
    const told = Object((await boss.get(`/people/organizations/${orgId}/audit?target=emoji`)).body)
    expect(told.entries.map(({ action }: { action: string }) => action)).toEqual([
      'emoji.removed',
      'emoji.removed',
      'emoji.added',
      'emoji.added',
    ])
  })

  it('is one of so many, and no more', async () => {
    await server.parley.db.query(sql`
      insert into custom_emoji (org_id, name, file_id, created_by, created_at)
      select ${orgId}, 'bird_' || n, gen_random_uuid(), ${ada.profileId}, 0 from generate_series(1, 500) n`)
    expect(refusal(await add(ada, 'one_more'))).toMatchObject({
      status: 400,
      body: 'an organization may have at most 500 emoji of its own',
    })
  })
})

/** An animation of three frames, larger than an emoji. */
async function moving(): Promise<Buffer> {
  const frames = ['#cc3333', '#33cc33', '#3333cc'].map((colour) => plain(200, 200, colour).png().toBuffer())
  return sharp(await Promise.all(frames), { join: { animated: true } })
    .gif()
    .toBuffer()
}
