import { describe, expect, it } from 'vitest'
import type { HeldRecord, Hold } from '../contract/people/holds.ts'
import { textOf } from '../contract/refusals/index.ts'
import { deleteOldMessages } from '../server/background/message-retention.ts'
import { sql } from '../server/db/sql.ts'
import { organization as organizationOf } from './support/cast.ts'
import { chatOf, refusal } from './support/chat.ts'
import { eventually } from './support/eventually.ts'
import { form } from './support/forms.ts'
import { endDelay } from './support/kept-messages.ts'
import { signInAs, type TestPerson } from './support/people.ts'
import { askForReadings } from './support/readings.ts'
import { cast, lastAudit, lookWith, openTwoNodes, organization, server, wait } from './support/two-nodes.ts'

openTwoNodes()

const DAY = 86_400_000

const newTopic = async (name: string): Promise<string> =>
  Object((await chatOf(cast.ada).post('topics', { name, members: [cast.ben.profileId, cast.bot.id] })).body)
    .id
const say = async (text: string, topicId: string, who: TestPerson = cast.ada): Promise<string> =>
  Object((await chatOf(who).post('messages', { topicId, text })).body).id
/** An owner sets the hold, and reads what it keeps. */
const setHold = async (body: object): Promise<Hold> => {
  const answer = await cast.ada.post(`${organization()}/holds`, { reason: 'Case 12', ...body })
  expect(answer.status, answer.text).toBe(201)
  const hold: Hold = Object(answer.body)
  await askForReadings(cast.ada, { holdId: hold.id })
  return hold
}
const end = (hold: Hold) => cast.ada.post(`${organization()}/holds/${hold.id}/end`)
const read = (hold: Hold, body: object = {}, who = cast.ada) =>
  who.post(`${organization()}/holds/${hold.id}/records`, body)
const recordsOf = async (hold: Hold): Promise<HeldRecord[]> => Object((await read(hold)).body).records
const told = (records: readonly HeldRecord[]) => records.map(({ state, text }) => [state, text])
const look = () => lookWith(deleteOldMessages)
const kept = (topicId: string) =>
  server.parley.db.query(
    sql`select 1 from held_records where org_id = ${cast.orgId} and topic_id = ${topicId}`,
  )

describe('a legal hold', () => {
  it('is set and ended by admins alone, on something that is there, and told in the audit log', async () => {
    const path = `${organization()}/holds`
    const topicId = await newTopic('Forms')
    expect((await cast.ben.post(path, { reason: 'x' })).status).toBe(403)
    expect((await cast.ben.get(path)).status).toBe(403)
    for (const body of [{}, { reason: '' }, { reason: 'x'.repeat(501) }, { reason: 'x', topicId: 'x' }])
      expect((await cast.ada.post(path, body)).status, JSON.stringify(body)).toBe(400)
    const both = { reason: 'x', topicId, memberId: cast.ben.profileId }
    expect(refusal(await cast.ada.post(path, both))).toMatchObject({
      status: 400,
      body: textOf('hold_subject_ambiguous'),
    })
    expect((await cast.ada.post(path, { reason: 'x', topicId: cast.orgId })).status).toBe(404)
    expect((await cast.ada.post(path, { reason: 'x', memberId: cast.orgId })).status).toBe(404)
    const { id: dm } = Object(
      (await chatOf(cast.ada).post('direct-messages', { memberIds: [cast.cy.profileId] })).body,
    )
    expect((await cast.ada.post(path, { reason: 'x', topicId: dm })).status, 'not theirs to name').toBe(404)
    const hold = await setHold({ topicId })
    expect(hold).toMatchObject({ topic: { id: topicId, name: 'Forms' }, setBy: { name: 'Ada' } })
    const [, set] = Object((await cast.ada.get(`${organization()}/audit?limit=2`)).body).entries
    expect(set).toMatchObject({
      action: 'hold.set',
      target: { type: 'hold', id: hold.id, name: 'Forms' },
      changes: [{ field: 'reason', to: 'Case 12' }],
    })
    const stranger = await signInAs(server, {
      orgId: await organizationOf(server),
      name: 'Sid',
      role: 'owner',
    })
    expect((await read(hold, {}, stranger)).status).toBe(404)
    expect((await read(hold, {}, cast.ben)).status).toBe(403)
    expect(Object((await cast.ada.get(path)).body)).toMatchObject({ holds: [{ id: hold.id }], total: 1 })
    expect(Object((await end(hold)).body)).toMatchObject({ id: hold.id, endedBy: { name: 'Ada' } })
    expect(refusal(await end(hold))).toMatchObject({ status: 409, body: textOf('hold_ended') })
    expect(refusal(await read(hold))).toMatchObject({ status: 409, body: textOf('hold_ended') })
    expect(Object((await cast.ada.get(path)).body).holds).toEqual([])
    expect(Object((await cast.ada.get(`${path}?state=ended`)).body).holds).toMatchObject([{ id: hold.id }])
    expect(await lastAudit()).toMatchObject({ action: 'hold.ended' })
  })

  it('keeps what people and bots edit and delete as it was, and the chat shows nothing of it', async () => {
    const { ada, ben, bot } = cast
    const [topicId, other] = [await newTopic('Harbour'), await newTopic('Elsewhere')]
    const before = await say('Before the hold', topicId)
    await chatOf(ada).delete(`messages/${before}`)
    const hold = await setHold({ topicId })
    const edited = await say('The first words', topicId)
    await chatOf(ada).patch(`messages/${edited}`, { text: 'The second words' })
    await chatOf(ada).patch(`messages/${edited}`, { text: 'The third words' })
    const deleted = await say('Nobody needs to know', topicId, ben)
    expect((await chatOf(ada).post(`messages/${deleted}/reactions`, { reaction: '👍' })).status).toBe(201)
    await chatOf(ben).delete(`messages/${deleted}`)
    const ofBot = Object((await bot.post('/v2/messages', { topicId, text: 'Beep' })).body).id
    await bot.delete(`/v2/messages/${ofBot}`)
    const free = await say('Not held', other)
    await chatOf(ada).delete(`messages/${free}`)
    const { id: taskId } = Object((await bot.post('/v2/tasks', { topicId, title: 'Burn it' })).body)
    await bot.patch(`/v2/tasks/${taskId}`, { title: 'File it' })

    const records = await recordsOf(hold)
    expect(told(records.filter(({ type, kind }) => type === 'text' || kind === 'task'))).toEqual([
      ['edited', 'The first words'],
      ['edited', 'The second words'],
      ['present', 'The third words'],
      ['deleted', 'Nobody needs to know'],
      ['deleted', 'Beep'],
      ['edited', 'Burn it'],
    ])
    expect(records.find(({ id }) => id === deleted)).toMatchObject({
      authorName: 'Ben',
      topicName: 'Harbour',
      details: { reactedBy: [{ profileId: ada.profileId, emoji: '👍' }] },
    })
    expect(await lastAudit()).toMatchObject({
      action: 'hold.read',
      changes: [
        { field: 'reason', to: 'Case 12' },
        { field: 'reading' },
        { field: 'messages', to: String(records.length) },
        { field: 'since' },
        { field: 'until' },
      ],
    })
    // Reads page by page, each record once and whole.
    const paged: HeldRecord[] = []
    for (let after: string | undefined; ; ) {
      const page = Object((await read(hold, { limit: 2, ...(after && { after }) })).body)
      paged.push(...page.records)
      after = page.next
      if (after === undefined) break
    }
    expect(paged).toEqual(records)
    expect((await read(hold, { limit: 0 })).status).toBe(400)
    expect((await chatOf(ben).get(`messages/${deleted}`)).status).toBe(404)
    const history = await chatOf(ada).get(`topics/${topicId}/messages`)
    expect(history.text).not.toMatch(/Nobody needs|first words/)
    expect(await kept(other)).toEqual([])
    await end(hold)
    await look()
    expect(await kept(topicId)).toEqual([])
  })

  it('keeps files of deleted messages in the store until it ends', async () => {
    const { ada } = cast
    const topicId = await newTopic('Files')
    const hold = await setHold({})
    const second = await setHold({ topicId })
    const made = form({ topicId }, [{ content: Buffer.from('evidence'), name: 'evidence.txt' }])
    const type = { headers: { 'content-type': made.contentType } }
    const { id } = Object((await chatOf(ada).post('messages', made.body, type)).body)
    await eventually(async () => (await chatOf(ada).get(`messages/${id}`)).status).toBe(200)
    await chatOf(ada).delete(`messages/${id}`)
    await server.parley.files.sweep()
    const [file] = (await recordsOf(hold)).flatMap((record) => (record.id === id ? record.files : []))
    expect(file).toMatchObject({ name: 'evidence.txt', size: 8 })
    expect(await (await fetch(file?.url ?? '')).text()).toBe('evidence')
    await end(hold)
    await look()
    await server.parley.files.sweep()
    expect((await fetch(file?.url ?? '')).status, 'another hold keeps it').toBe(200)
    await end(second)
    await look()
    await server.parley.files.sweep()
    expect((await fetch(file?.url ?? '')).status).toBe(404)
    expect(await kept(topicId)).toEqual([])
  })

  it('stands against the time that messages are kept, for a topic, a person and everybody', async () => {
    const { ben } = cast
    const [held, mixed] = [await newTopic('Held'), await newTopic('Mixed')]
    const topicHold = await setHold({ topicId: held })
    const personHold = await setHold({ memberId: ben.profileId })
    for (const topicId of [held, mixed]) {
      await say('Of Ada', topicId)
      await say('Of Ben', topicId, ben)
    }
    const left = async () => {
      const rows = await server.parley.db.query<{ topic_id: string; text: string }>(sql`
        select topic_id, text from messages
        where org_id = ${cast.orgId} and topic_id = any(${[held, mixed]}::uuid[]) and not is_system order by id`)
      return [held, mixed].map((id) => rows.filter((row) => row.topic_id === id).map(({ text }) => text))
    }
    await cast.ada.patch(organization(), { keepMessagesDays: 2 })
    await endDelay(server, cast.orgId)
    wait(3 * DAY)
    await askForReadings(cast.ada, { holdId: personHold.id })
    const due = async () =>
      Object((await cast.ada.get(`${organization()}/kept-messages?days=2&topicId=${mixed}`)).body).messages
    const all = await due()
    await look()
    expect(await left()).toEqual([['Of Ada', 'Of Ben'], ['Of Ben']])
    expect(all, 'the count leaves out what is held').toBeGreaterThan(0)
    expect(await due()).toBe(0)
    expect(told(await recordsOf(personHold)).filter(([, text]) => text === 'Of Ben')).toHaveLength(2)
    const everybody = await setHold({})
    await end(topicHold)
    await end(personHold)
    wait(2 * DAY)
    await look()
    expect(await left()).toEqual([['Of Ada', 'Of Ben'], ['Of Ben']])
    await end(everybody)
    await look()
    expect(await left()).toEqual([[], []])
    await cast.ada.patch(organization(), { keepMessagesDays: null })
  })
})
