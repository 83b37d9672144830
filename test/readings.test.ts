import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LIMITS } from '../contract/limits.ts'
import type { AuditEntry } from '../contract/people/organization.ts'
import type { Reading } from '../contract/people/readings.ts'
import { textOf } from '../contract/refusals/index.ts'
import { organization } from './support/cast.ts'
import { chatOf } from './support/chat.ts'
import type { Answer } from './support/client.ts'
import { lastMail, mailsTo } from './support/mails.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { signInAs, signInToProfile, type TestPerson } from './support/people.ts'

const HOUR = 3_600_000

let server: TestParley
let orgId: string
let owner: TestPerson
let second: TestPerson
let admin: TestPerson
let dora: TestPerson
let topicId: string

beforeAll(async () => {
  server = await startTestParley()
  orgId = await organization(server)
  owner = await signInAs(server, { orgId, role: 'owner', name: 'Olu' })
  second = await signInAs(server, { orgId, role: 'owner', name: 'Sven' })
  admin = await signInAs(server, { orgId, role: 'admin', name: 'Ada' })
  dora = await signInAs(server, { orgId, name: 'Dora' })
  topicId = Object((await chatOf(dora).post('topics', { name: 'Secret' })).body).id
  for (const n of [1, 2, 3, 4, 5]) await chatOf(dora).post('messages', { topicId, text: `Word ${n}` })
})
afterAll(() => server.close())

const at = (path = '') => `/people/organizations/${orgId}${path}`
const refusal = ({ status, body }: Answer) => ({ status, body })
const ask = (who: TestPerson, body: object = {}) =>
  who.post(at('/readings'), { subjectType: 'topic', subjectId: topicId, reason: 'Case 12', ...body })
const asked = async (who: TestPerson): Promise<Reading> => {
  const answer = await ask(who)
  expect(answer.status, answer.text).toBe(201)
  return Object(answer.body)
}
const read = (who: TestPerson, body: object = {}) => who.post(at(`/topics/${topicId}/content`), body)
const decide = (who: TestPerson, { id }: Reading, outcome: string) =>
  who.post(at(`/readings/${id}/decision`), { outcome })
const end = (who: TestPerson, { id }: Reading) => who.post(at(`/readings/${id}/end`))
const allow = (who: TestPerson, person: TestPerson, mayReadContent: boolean) =>
  who.patch(at(`/members/${person.profileId}`), { mayReadContent })
const listed = async (who: TestPerson, query = ''): Promise<Reading[]> =>
  Object((await who.get(at(`/readings${query}`))).body).readings
const lastEntries = async (limit: number): Promise<AuditEntry[]> =>
  Object((await owner.get(at(`/audit?limit=${limit}`))).body).entries
const needed = { status: 403, body: textOf('reading_required') }

describe('content that an admin is not part of', () => {
  it('is read with the right that an owner gives, and with a reason alone', async () => {
    expect(refusal(await read(admin))).toEqual({ status: 403, body: textOf('reading_not_allowed') })
    expect(refusal(await ask(admin))).toEqual({ status: 403, body: textOf('reading_not_allowed') })
    expect(refusal(await allow(admin, admin, true))).toEqual({
      status: 403,
      body: textOf('reading_right_for_owners'),
    })
    expect(refusal(await allow(owner, dora, true))).toEqual({
      status: 400,
      body: textOf('reading_right_for_admins'),
    })
    expect((await allow(owner, admin, true)).body).toMatchObject({ mayReadContent: true })
    expect((await lastEntries(1))[0]).toMatchObject({
      action: 'member.reading_allowed',
      target: { id: admin.profileId },
    })
    expect(refusal(await read(admin))).toEqual(needed)
    for (const reason of [undefined, '', '  ']) {
      const answer = await ask(admin, { reason })
      expect([answer.status, answer.body]).toEqual([400, 'reason is required'])
    }
    expect((await ask(admin, { reason: 'x'.repeat(LIMITS.readingReason + 1) })).status).toBe(400)
    expect((await ask(dora)).status).toBe(403)
    const reading = await asked(admin)
    expect(reading).toMatchObject({
      subject: { type: 'topic', id: topicId, name: 'Secret' },
      state: 'open',
      reason: 'Case 12',
      askedBy: { id: admin.profileId, name: 'Ada' },
    })
    for (const { email } of [owner, second]) {
      const mail = await lastMail(server, email)
      expect(mail.subject).toContain('Ada can read content')
      expect(mail.text).toMatch(
        /messages in the topic Secret.*Case 12.*Nachrichten des Themas Secret.*Case 12/s,
      )
      expect(mail.text).not.toContain('Word')
    }
    expect(await mailsTo(server, admin.email)).toEqual([])

    const newest = Object((await read(admin, { limit: 3 })).body)
    const texts = (list: { text: string }[]) => list.map(({ text }) => text)
    expect([texts(newest.messages), newest.hasBefore]).toEqual([['Word 3', 'Word 4', 'Word 5'], true])
    const older = Object((await read(admin, { before: newest.messages[0].id })).body)
    expect(texts(older.messages).slice(-2)).toEqual(['Word 1', 'Word 2'])
    const entries = await lastEntries(3)
    expect(entries.map(({ action }) => action)).toEqual([
      'topic.content_read',
      'topic.content_read',
      'reading.asked',
    ])
    expect(entries[1]).toMatchObject({
      actor: { id: admin.profileId },
      target: { id: topicId, name: 'Secret' },
      changes: [
        { field: 'reason', to: 'Case 12' },
        { field: 'reading', to: reading.id },
        { field: 'messages', to: '3' },
        { field: 'since' },
        { field: 'until' },
      ],
    })
    expect(refusal(await read(owner)), 'of nobody else').toEqual(needed)
    expect((await end(dora, reading)).status).toBe(403)
    expect((await end(admin, reading)).body).toMatchObject({ state: 'ended' })
    expect(refusal(await read(admin))).toEqual(needed)
    expect(refusal(await end(admin, reading))).toEqual({ status: 409, body: textOf('reading_ended') })
  })

  it('ends with its time, with the right, with the role and when an owner ends it', async () => {
    await asked(admin)
    expect((await read(admin)).status).toBe(200)
    server.clock.ahead += LIMITS.readingHours * HOUR + 1
    expect(refusal(await read(admin))).toEqual(needed)

    const reading = await asked(admin)
    expect((await end(second, reading)).status).toBe(200)
    expect(refusal(await read(admin))).toEqual(needed)

    await asked(admin)
    await allow(second, admin, false)
    expect(refusal(await read(admin))).toEqual({ status: 403, body: textOf('reading_not_allowed') })
    await allow(second, admin, true)
    expect(refusal(await read(admin)), 'the right revives nothing').toEqual(needed)

    await asked(admin)
    expect((await read(admin)).status).toBe(200)
    const member = at(`/members/${admin.profileId}`)
    await owner.patch(member, { role: 'member' })
    expect((await read(admin)).status).toBe(403)
    expect((await owner.patch(member, { role: 'admin' })).body).toMatchObject({ mayReadContent: false })
    expect(refusal(await read(admin))).toEqual({ status: 403, body: textOf('reading_not_allowed') })
    await allow(owner, admin, true)
    expect(refusal(await read(admin)), 'nor does the role').toEqual(needed)
  })

  it('ends when the reader is archived or deleted, and does not come back with them', async () => {
    const email = 'ida@example.com'
    let reader = await signInAs(server, { orgId, role: 'admin', name: 'Ida', email })
    const member = at(`/members/${reader.profileId}`)
    const stateOf = async ({ id }: Reading) => (await listed(owner)).find((one) => one.id === id)?.state
    await allow(owner, reader, true)
    for (const change of [{ status: 'Archived' }, { status: 'Deleted' }]) {
      const reading = await asked(reader)
      expect((await owner.patch(member, change)).status).toBe(200)
      expect(await stateOf(reading)).toBe('ended')
      if (change.status === 'Deleted') continue
      expect((await owner.patch(member, { status: 'Active' })).body).toMatchObject({ mayReadContent: true })
      reader = await signInToProfile(server, reader)
    }
    const back = await owner.post(at('/members'), { email, role: 'admin' })
    expect(back.body).toMatchObject({ id: reader.profileId, mayReadContent: false })
  })

  it('is of things that are there, and for admins not the data of owners', async () => {
    const unknown = '7b0e1f5c-3d7a-4f0e-9a51-6f2f1a0c9d11'
    for (const [subjectType, subjectId, body] of [
      ['topic', unknown, 'Topic not found'],
      ['topic', 'nonsense', 'Topic not found'],
      ['member', unknown, 'Member not found'],
      ['bot', `b@${unknown}`, 'Bot not found'],
      ['hold', unknown, 'Hold not found'],
    ] as const)
      expect(refusal(await ask(admin, { subjectType, subjectId }))).toEqual({ status: 404, body })
    const [direct] = [
      Object((await chatOf(dora).post('direct-messages', { memberIds: [admin.profileId] })).body).id,
    ]
    expect((await ask(owner, { subjectId: direct })).status, 'direct messages are no topics').toBe(404)
    expect(refusal(await ask(admin, { subjectType: 'member', subjectId: owner.profileId }))).toEqual({
      status: 403,
      body: 'only owners decide on owners',
    })
    expect((await ask(admin, { subjectType: 'everything' })).status).toBe(400)
  })

  it('is for admins not what an owner said, by a hold either', async () => {
    const hold = async (body: object): Promise<string> =>
      Object((await owner.post(at('/holds'), { reason: 'Case 12', ...body })).body).id
    const [ofAll, ofOwner, ofDora, ofTopic] = [
      await hold({}),
      await hold({ memberId: owner.profileId }),
      await hold({ memberId: dora.profileId }),
      await hold({ topicId }),
    ]
    const askFor = (who: TestPerson, subjectId: string) => ask(who, { subjectType: 'hold', subjectId })
    const records = (who: TestPerson, id: string) => who.post(at(`/holds/${id}/records`), {})
    const ownersOnly = { status: 403, body: 'only owners decide on owners' }
    expect(refusal(await askFor(admin, ofAll))).toEqual({
      status: 403,
      body: textOf('hold_on_all_for_owners'),
    })
    expect(refusal(await askFor(admin, ofOwner))).toEqual(ownersOnly)
    for (const id of [ofAll, ofOwner]) {
      expect((await askFor(second, id)).status).toBe(201)
      expect((await records(second, id)).status).toBe(200)
    }
    for (const id of [ofDora, ofTopic]) {
      expect((await askFor(admin, id)).status).toBe(201)
      expect((await records(admin, id)).status).toBe(200)
    }
    await owner.patch(at(`/members/${dora.profileId}`), { role: 'owner' })
    expect(refusal(await records(admin, ofDora)), 'an owner since it was opened').toEqual(ownersOnly)
    await owner.patch(at(`/members/${dora.profileId}`), { role: 'member' })
    for (const id of [ofAll, ofOwner, ofDora, ofTopic]) await owner.post(at(`/holds/${id}/end`))
  })
})

describe('four eyes', () => {
  const set = (who: TestPerson, fourEyes: boolean) => who.patch(at(), { fourEyes })

  it('are set by an owner where there is another one', async () => {
    expect(refusal(await set(admin, true))).toEqual({ status: 403, body: textOf('four_eyes_for_owners') })
    const alone = await signInAs(server, {
      orgId: await organization(server),
      role: 'owner',
      name: 'Una',
    })
    expect(refusal(await alone.patch(`/people/organizations/${alone.orgId}`, { fourEyes: true }))).toEqual({
      status: 400,
      body: textOf('four_eyes_owners_missing'),
    })
    const invited = await owner.post(at('/members'), { email: 'late@example.com', role: 'owner' })
    expect(refusal(await set(owner, true))).toEqual({ status: 400, body: textOf('four_eyes_owner_pending') })
    await owner.patch(at(`/members/${Object(invited.body).id}`), { status: 'Deleted' })
    const open = await asked(owner)
    expect((await read(owner)).status).toBe(200)
    expect((await set(owner, true)).body).toMatchObject({ fourEyes: true })
    expect(refusal(await read(owner)), 'a reading of before counts no more').toEqual(needed)
    await end(owner, open)
  })

  it('let a reading wait for another owner, also that of an owner', async () => {
    const reading = await asked(owner)
    expect(reading.state).toBe('waiting')
    expect((await lastMail(server, second.email)).subject).toContain('Olu asks to read content')
    expect(refusal(await read(owner))).toEqual(needed)
    expect(await listed(second, '?state=waiting')).toMatchObject([{ id: reading.id, state: 'waiting' }])
    expect(refusal(await decide(owner, reading, 'granted'))).toEqual({
      status: 403,
      body: textOf('reading_needs_another_owner'),
    })
    expect((await decide(admin, reading, 'granted')).status).toBe(403)
    expect((await decide(second, reading, 'refused')).body).toMatchObject({ state: 'refused' })
    expect(refusal(await read(owner))).toEqual(needed)
    expect(refusal(await decide(second, reading, 'granted'))).toEqual({
      status: 409,
      body: textOf('reading_decided'),
    })

    const again = await asked(owner)
    expect((await decide(second, again, 'granted')).body).toMatchObject({
      state: 'open',
      decidedBy: { id: second.profileId },
    })
    expect((await lastMail(server, second.email)).subject).toContain('Olu can read content')
    expect((await read(owner)).status).toBe(200)
    expect(await listed(second, '?state=waiting')).toEqual([])
    await end(owner, again)

    const late = await asked(owner)
    server.clock.ahead += LIMITS.readingWaitDays * 24 * HOUR + 1
    expect(refusal(await decide(second, late, 'granted'))).toEqual({
      status: 409,
      body: textOf('reading_ended'),
    })
  })

  it('are not those of one owner with an admin of their own', async () => {
    const reading = await asked(admin)
    expect(refusal(await decide(owner, reading, 'granted')), 'who allowed it').toEqual({
      status: 403,
      body: textOf('reading_needs_another_owner'),
    })
    expect((await decide(second, reading, 'granted')).status).toBe(200)
    expect((await read(admin)).status).toBe(200)
    await end(admin, reading)
  })

  it('are not opened by an owner who takes the right away, says yes and gives it back', async () => {
    const reading = await asked(admin)
    await allow(owner, admin, false)
    expect(refusal(await decide(owner, reading, 'granted'))).toEqual({
      status: 403,
      body: textOf('reading_needs_another_owner'),
    })
    expect(refusal(await decide(second, reading, 'granted'))).toEqual({
      status: 409,
      body: textOf('reading_ended'),
    })
    await allow(owner, admin, true)
    expect(refusal(await read(admin))).toEqual(needed)
    await allow(owner, admin, false)
    await allow(second, admin, true)
    expect(refusal(await decide(owner, reading, 'granted')), 'who allowed it then').toEqual({
      status: 403,
      body: textOf('reading_needs_another_owner'),
    })
    const later = await asked(admin)
    expect(refusal(await decide(second, later, 'granted'))).toEqual({
      status: 403,
      body: textOf('reading_needs_another_owner'),
    })
    expect((await decide(owner, later, 'granted')).status).toBe(200)
    await end(admin, later)
    await allow(second, admin, false)
    await allow(owner, admin, true)
  })

  it('take one decision of those that come at once', async () => {
    const other = (reading: Reading) => decide(second, reading, 'refused')
    for (const act of [other, (reading: Reading) => end(owner, reading)]) {
      const reading = await asked(admin)
      const answers = await Promise.all([other(reading), act(reading)])
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    }
  })

  it('keep the set of owners as it is', async () => {
    const kept = { status: 403, body: textOf('owners_fixed') }
    const members = (path = '') => at(`/members${path}`)
    const email = 'other@example.com'
    expect(refusal(await owner.post(members(), { email, role: 'owner' }))).toEqual(kept)
    expect(refusal(await owner.patch(members(`/${admin.profileId}`), { role: 'owner' }))).toEqual(kept)
    for (const change of [{ role: 'member' }, { status: 'Archived' }, { status: 'Deleted' }])
      expect(refusal(await owner.patch(members(`/${second.profileId}`), change))).toEqual(kept)
    expect(refusal(await owner.post(members(`/${second.profileId}/erasure`), {}))).toEqual(kept)
    const changes = { memberIds: [admin.profileId], role: 'owner' }
    expect(Object((await owner.post(members('/changes'), changes)).body).results).toEqual([
      { memberId: admin.profileId, refusal: textOf('owners_fixed'), code: 'owners_fixed' },
    ])
  })

  it('end when two owners ask for it, and not before', async () => {
    expect((await set(owner, false)).body).toMatchObject({
      fourEyes: true,
      fourEyesEndAsked: { id: owner.profileId, name: 'Olu' },
    })
    expect((await lastMail(server, second.email)).subject).toContain(
      'Olu asks to switch off four-eyes approval',
    )
    expect((await set(owner, false)).body, 'not by asking twice').toMatchObject({ fourEyes: true })
    expect((await set(second, true)).body, 'the other one says no').not.toHaveProperty('fourEyesEndAsked')
    expect((await set(second, false)).body).toMatchObject({ fourEyes: true })
    const off = (await set(owner, false)).body
    expect(off).toMatchObject({ fourEyes: false })
    expect(off).not.toHaveProperty('fourEyesEndAsked')
    const entries: AuditEntry[] = Object(
      (await owner.get(at('/audit?target=organization&limit=4'))).body,
    ).entries
    expect(entries.map(({ changes }) => changes)).toEqual([
      [{ field: 'fourEyes', from: 'true', to: 'false' }],
      [{ field: 'fourEyesEndAsked', to: 'Sven' }],
      [{ field: 'fourEyesEndAsked', from: 'Olu' }],
      [{ field: 'fourEyesEndAsked', to: 'Olu' }],
    ])
    expect((await asked(owner)).state).toBe('open')
  })
})
