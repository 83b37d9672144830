import { beforeAll, describe, expect, it } from 'vitest'
import { NAMELESS } from '../contract/members.ts'
import type { Erasure, PersonRecord } from '../contract/people/erasures.ts'
import { textOf } from '../contract/refusals/index.ts'
import { eraseSome } from '../server/actions/members/erasure-steps.ts'
import { eraseData } from '../server/background/erasures.ts'
import { Sql, sql, toStatement } from '../server/db/sql.ts'
import type { Transaction } from '../server/db/transaction.ts'
import { organization as organizationOf } from './support/cast.ts'
import { chatOf, refusal } from './support/chat.ts'
import { eventuallyHolds } from './support/eventually.ts'
import { form } from './support/forms.ts'
import { signInAs, type TestPerson } from './support/people.ts'
import { askForReadings } from './support/readings.ts'
import { PNG } from './support/samples.ts'
import { newProvider } from './support/scim.ts'
import { cast, lastAudit, lookWith, openTwoNodes, organization, server, wait } from './support/two-nodes.ts'

openTwoNodes()

const EMAIL = 'dagny.quist@example.com'
/** Her name, in any row. */
const HER = /Dagny|Quist/i

let dagny: TestPerson
let topicId: string
let said: string
let sentFile: string

const memberOf = ({ profileId }: { profileId: string }) => `${organization()}/members/${profileId}`
const erase = (who: { profileId: string }, body: object = {}, by = cast.ada) =>
  by.post(`${memberOf(who)}/erasure`, body)
const say = async (text: string, who: TestPerson, where = topicId): Promise<string> =>
  Object((await chatOf(who).post('messages', { topicId: where, text })).body).id
const listed = async (): Promise<Erasure[]> => {
  const answer = await cast.ada.get(`${organization()}/erasures`)
  expect(answer.status, answer.text).toBe(200)
  return Object(answer.body).erasures
}
const look = () => lookWith(eraseData)

/** Records the buffers of each statement of a transaction that matches `pattern`. */
function measure(tx: Transaction, pattern: RegExp, costs: number[]): void {
  const query = tx.query.bind(tx)
  tx.query = async (asked) => {
    const { text, values } = toStatement(asked)
    if (pattern.test(text)) {
      const explained = await server.parley.db.pool.query({
        text: `explain (analyze, buffers, format json) ${text}`,
        values,
      })
      const { Plan: plan } = explained.rows[0]['QUERY PLAN'][0]
      costs.push(plan['Shared Hit Blocks'] + plan['Shared Read Blocks'])
    }
    return query(asked)
  }
}

/** Tables with rows that match, besides queues. */
async function tablesWith(pattern: RegExp): Promise<string[]> {
  const { db } = server.parley
  const tables = await db.query<{ name: string }>(sql`
    select table_name as name from information_schema.tables where table_schema = 'public' order by 1`)
  const found: string[] = []
  for (const { name } of tables) {
    const rows = await db.query<{ row: string }>(
      new Sql([`select to_jsonb(t)::text as row from ${name} t`], []),
    )
    if (rows.some(({ row }) => pattern.test(row))) found.push(name)
  }
  return found
}

async function dataOf(who: TestPerson, limit = 500): Promise<PersonRecord[]> {
  await askForReadings(cast.ada, { memberId: who.profileId })
  const records: PersonRecord[] = []
  for (let cursor: string | undefined; ; ) {
    const answer = await cast.ada.post(`${memberOf(who)}/data`, { limit, ...(cursor && { cursor }) })
    expect(answer.status, answer.text).toBe(200)
    records.push(...Object(answer.body).records)
    cursor = Object(answer.body).next
    if (cursor === undefined) return records
  }
}

beforeAll(async () => {
  const { ada, ben, bot, orgId } = cast
  dagny = await signInAs(server, { orgId, name: 'Dagny Quist', email: EMAIL })
  const members = [dagny.profileId, ben.profileId, bot.id]
  topicId = Object((await chatOf(ada).post('topics', { name: 'Harbour', members })).body).id
  said = await say('Nobody forgets a quahog', dagny)
  const mention = await say(`Ask <@${dagny.profileId}>`, ben)
  const chat = chatOf(dagny)
  expect((await chat.post(`messages/${mention}/reactions`, { reaction: '👍' })).status).toBe(201)
  const file = form({ topicId }, [{ content: Buffer.from('a note'), name: 'note.txt' }])
  const type = { headers: { 'content-type': file.contentType } }
  sentFile = Object((await chat.post('messages', file.body, type)).body).id
  await eventuallyHolds(async () => expect((await chat.get(`messages/${sentFile}`)).status).toBe(200))
  const photo = form({}, [{ content: PNG, name: 'me.png' }], { metaPart: 'metadata' })
  const withPhoto = { headers: { 'content-type': photo.contentType } }
  expect((await chat.post('me/photo', photo.body, withPhoto)).status).toBeLessThan(300)
  const profile = { title: 'Keeper Quist', statusText: 'Dagny is out', timeZone: 'Europe/Oslo' }
  expect((await chat.patch('me', profile)).status).toBeLessThan(300)
  await chat.post('drafts', { topicId, text: 'Dagny drafts' })
  await chat.patch(`saved-messages/${mention}`, {})
  const poll = { topicId, question: 'Now?', options: ['yes', 'no'], selectionType: 'single' }
  for (const anonymous of [false, true]) {
    const { id, options } = Object((await bot.post('/v2/polls', { ...poll, anonymous })).body)
    expect((await chat.post(`polls/${id}/votes`, { optionId: options[0].id })).status).toBe(201)
  }
  const fields = [{ id: 'why', text: 'Why?' }]
  const asked = await bot.post('/v2/messages', {
    topicId,
    text: 'Why?',
    actions: { elements: [{ id: 'form', text: 'Answer', fields }], approval: true },
  })
  expect(asked.status, asked.text).toBe(201)
  const { id: askedId } = Object(asked.body)
  const { actions } = Object((await bot.get(`/v2/messages/${askedId}`)).body)
  const press = { actionsId: actions.id, elementId: 'form', values: { why: 'Because Dagny said so' } }
  const pressed = await chat.post(`actions/${askedId}/press`, press)
  expect(pressed.status, pressed.text).toBe(201)
  const note = await bot.post(`/v2/actions/${Object(pressed.body).id}/note`, { text: 'Thanks, Dagny' })
  expect(note.status, note.text).toBeLessThan(300)
  await bot.post('/v2/tasks', { topicId, title: 'Sweep', assignee: dagny.profileId })
  await ada.patch(memberOf(dagny), { name: 'Dagny Q. Quist' })
  const changed = await (await newProvider(ada)).patch(`/Users/${dagny.profileId}`, [
    { op: 'replace', path: 'userName', value: 'dagny-quist' },
    { op: 'replace', path: 'title', value: 'Keeper of the Quist' },
    { op: 'replace', path: 'phoneNumbers[type eq "work"].value', value: '+47 Quist' },
    { op: 'replace', path: 'externalId', value: 'quist-1' },
  ])
  expect(changed.status, changed.text).toBe(200)
  const unit = await ada.post(`${organization()}/org-units`, { name: 'Port', tag: 'port', type: 'Team' })
  const unitMembers = `${organization()}/org-units/${Object(unit.body).id}/members`
  expect((await ada.post(unitMembers, { memberIds: [dagny.profileId] })).status).toBeLessThan(300)
  const report = { reason: 'Rude' }
  expect((await chatOf(ben).post(`messages/${said}/report`, report)).status).toBeLessThan(300)
})

describe("a person's data", () => {
  it('is exported whole, page by page, to admins alone, and told in the audit log', async () => {
    const path = `${memberOf(dagny)}/data`
    expect((await cast.ben.post(path, {})).status).toBe(403)
    expect((await cast.ada.post(path, { limit: 0 })).status).toBe(400)
    expect((await cast.ada.post(path, { cursor: 'x' })).status).toBe(400)
    expect((await cast.ada.post(`${organization()}/members/${cast.orgId}/data`, {})).status).toBe(404)
    const admin = await signInAs(server, { orgId: cast.orgId, name: 'Ira', role: 'admin' })
    expect((await admin.post(`${memberOf(cast.ada)}/data`, {})).status, 'of an owner').toBe(403)
    expect(refusal(await cast.ada.post(path, {}))).toMatchObject({
      status: 403,
      body: textOf('reading_required'),
    })
    const records = await dataOf(dagny)
    expect(await lastAudit()).toMatchObject({
      action: 'member.data_read',
      target: { id: dagny.profileId },
      changes: [
        { field: 'reason', to: 'Case 12' },
        { field: 'reading' },
        { field: 'records', to: String(records.length) },
        { field: 'kinds', to: expect.stringContaining('reactions') },
      ],
    })
    const of = (kind: string) => records.filter((one) => one.kind === kind).map(({ record }) => record)
    expect(of('members')).toMatchObject([
      { name: 'Dagny Q. Quist', email: EMAIL, title: 'Keeper of the Quist' },
    ])
    expect(of('sessions')).toMatchObject([{ userAgent: 'Test browser' }])
    expect(of('messages').map(({ text }) => text)).toContain('Nobody forgets a quahog')
    expect(of('messages').every(({ senderId }) => senderId === dagny.profileId)).toBe(true)
    expect(of('reactions')).toHaveLength(1)
    expect(of('poll-votes'), 'not of the anonymous poll').toHaveLength(1)
    expect(of('tasks')).toMatchObject([{ title: 'Sweep' }])
    expect(of('drafts')).toMatchObject([{ text: 'Dagny drafts' }])
    expect(of('saved-messages')).toHaveLength(1)
    expect(of('topic-members').map((one) => one.topicId)).toContain(topicId)
    expect(of('org-unit-members')).toHaveLength(1)
    expect(of('audit-log').map(({ action }) => action)).toContain('member.renamed')
    const [file] = records.flatMap(({ record, files }) => (record.id === sentFile ? (files ?? []) : []))
    expect(file).toMatchObject({ name: 'note.txt', size: 6 })
    expect(await (await fetch(file?.url ?? '')).text()).toBe('a note')
    const withoutLinks = (list: readonly PersonRecord[]) => list.map(({ kind, record }) => ({ kind, record }))
    const paged = (await dataOf(dagny, 3)).filter(({ record }) => record.action !== 'member.data_read')
    expect(withoutLinks(paged)).toEqual(
      withoutLinks(records.filter(({ record }) => record.action !== 'member.data_read')),
    )
  })

  it('is that of the first page, however long a cursor is kept, and each page is recorded', async () => {
    const { ada, orgId } = cast
    const runa = await signInAs(server, { orgId, name: 'Runa', email: 'runa@example.com' })
    await ada.post(`${organization()}/chat/topics/${topicId}/members`, { memberIds: [runa.profileId] })
    for (const text of ['One', 'Two', 'Three']) await say(text, runa)
    await askForReadings(ada, { memberId: runa.profileId })
    const told = async () =>
      (
        await server.parley.db.query(sql`
          select 1 from audit_log
          where org_id = ${orgId} and action = 'member.data_read' and target_id = ${runa.profileId}
            and changes @> '[{"field": "reason", "to": "Case 12"}]'`)
      ).length
    const page = async (cursor?: string): Promise<{ records: PersonRecord[]; next?: string }> =>
      Object((await ada.post(`${memberOf(runa)}/data`, { limit: 1, ...(cursor && { cursor }) })).body)
    const pages = [await page()]
    for (let next = pages[0]?.next; next !== undefined; next = pages.at(-1)?.next)
      pages.push(await page(next))
    expect(await told()).toBe(pages.length)
    const texts = (list: { records: PersonRecord[] }[]) =>
      list.flatMap(({ records }) =>
        records.flatMap(({ kind, record }) => (kind === 'messages' ? record.text : [])),
      )
    expect(texts(pages)).toEqual(['One', 'Two', 'Three'])
    await say('Later', runa)
    for (const { next } of pages)
      if (next !== undefined) expect(texts([await page(next)])).not.toContain('Later')
    const own = await signInAs(server, { orgId, name: 'Own', role: 'admin' })
    expect((await own.post(`${memberOf(own)}/data`, {})).status, "one's own").toBe(200)
  })

  it('is not deleted while a hold stands, nor without permission', async () => {
    const { ada, ben } = cast
    expect((await erase(dagny, {}, ben)).status).toBe(403)
    expect((await erase(dagny, { withMessages: 'x' })).status).toBe(400)
    expect(refusal(await erase(ada))).toMatchObject({ status: 400, body: textOf('member_erasure_of_self') })
    expect((await erase({ profileId: cast.orgId })).status).toBe(404)
    const admin = await signInAs(server, { orgId: cast.orgId, name: 'Ines', role: 'admin' })
    expect((await erase(ada, {}, admin)).status, 'an owner').toBe(403)
    const stranger = await signInAs(server, {
      orgId: await organizationOf(server),
      name: 'Sid',
      role: 'owner',
    })
    expect((await erase(dagny, {}, stranger)).status).toBe(404)
    for (const body of [{ topicId }, { memberId: dagny.profileId }, {}]) {
      const held = await ada.post(`${organization()}/holds`, { reason: 'Case 12', ...body })
      expect(refusal(await erase(dagny))).toMatchObject({ status: 409, body: textOf('member_held') })
      await ada.post(`${organization()}/holds/${Object(held.body).id}/end`)
    }
    const elsewhere = await ada.post(`${organization()}/holds`, { reason: 'x', memberId: ben.profileId })
    expect((await chatOf(dagny).get('start')).status, 'nothing happened').toBe(200)
    await ada.post(`${organization()}/holds/${Object(elsewhere.body).id}/end`)
  })

  it('is deleted so that no row of the database names them, in steps that two nodes share', async () => {
    const { ada, ben, bot } = cast
    const offset = Object((await bot.get('/v2/updates?offset=oldest&limit=1')).body).nextOffset
    const heard = await cast.stream(ben)
    const naming = ['accounts', 'audit_log', 'drafts', 'events', 'profiles']
    expect(await tablesWith(HER)).toEqual(expect.arrayContaining(naming))
    expect((await erase(dagny)).status).toBe(204)
    expect(refusal(await erase(dagny))).toMatchObject({ status: 409, body: textOf('member_erasure_running') })
    expect((await chatOf(dagny).get('start')).status).toBe(401)
    const told = await heard.next(
      ({ event, data }) => event === 'member.updated' && Object(data).member.erased,
    )
    expect(Object(told.data).member).toMatchObject({ name: NAMELESS, email: '', status: 'Deleted' })
    expect(await lastAudit()).toMatchObject({
      action: 'member.data_deleted',
      target: { id: dagny.profileId, name: NAMELESS },
      changes: [{ field: 'messages', to: 'kept' }],
    })
    // An unfinished step is repeated.
    const { db } = server.parley
    await expect(
      db.write(cast.orgId, async (tx) => {
        await eraseSome(tx, dagny.profileId)
        throw new Error('the node dies')
      }),
    ).rejects.toThrow('dies')
    await look()
    await server.parley.files.sweep()
    expect(await tablesWith(HER)).toEqual([])
    const answers = sql`select field_values as values from message_actions where profile_id = ${dagny.profileId}`
    expect(await db.query(answers), 'the answer counts').toEqual([{ values: {} }])
    expect(await listed()).toMatchObject([
      { memberId: dagny.profileId, state: 'done', withMessages: false, askedBy: { id: ada.profileId } },
    ])
    expect(await lastAudit()).toMatchObject({
      action: 'member.data_deletion_finished',
      actor: { kind: 'server' },
    })
    expect(await db.query(sql`select 1 from accounts where id = ${dagny.accountId}`)).toEqual([])

    expect(Object((await chatOf(ben).get(`messages/${said}`)).body)).toMatchObject({
      text: 'Nobody forgets a quahog',
      senderName: NAMELESS,
    })
    const updates = await bot.get(`/v2/updates?offset=${encodeURIComponent(offset)}&limit=100`)
    expect(updates.text).toContain('quahog')
    expect(updates.text, 'nor does the memory of a node').not.toMatch(HER)
    expect((await chatOf(ben).get('search?query=from:dagny')).text).not.toContain('quahog')
    const deleted = Object((await ada.get(`${organization()}/members?status=Deleted`)).body).members
    expect(deleted).toMatchObject([{ id: dagny.profileId, name: NAMELESS, email: '', erased: true }])
    expect(refusal(await erase(dagny))).toMatchObject({ status: 409, body: textOf('member_erased') })
    const again = await ada.post(`${organization()}/members`, { email: EMAIL })
    expect(Object(again.body).id, 'somebody new').not.toBe(dagny.profileId)
  })

  it('is deleted with their messages if the admin says so, unless a hold is set in between', async () => {
    const { ada, ben } = cast
    expect((await erase(dagny, { withMessages: true })).status).toBe(204)
    const held = await ada.post(`${organization()}/holds`, { reason: 'Case 12', topicId })
    await look()
    expect((await chatOf(ben).get(`messages/${said}`)).status, 'held').toBe(200)
    expect(await listed()).toMatchObject([{ state: 'held', nextAttemptAt: expect.any(Number) }])
    await ada.post(`${organization()}/holds/${Object(held.body).id}/end`)
    wait(3_600_000)
    const heard = await cast.stream(ben)
    await look()
    const told = await heard.next(({ event }) => event === 'message.deleted')
    expect(told.data).toMatchObject({ reason: 'erasure', deletedBy: dagny.profileId })
    for (const id of [said, sentFile]) expect((await chatOf(ben).get(`messages/${id}`)).status).toBe(404)
    expect(await tablesWith(/quahog/)).toEqual([])
    const [erasure] = await listed()
    expect(erasure).toMatchObject({ memberId: dagny.profileId, state: 'done', withMessages: true })
    expect(await tablesWith(/quahog/), 'and no erasure keeps it').toEqual([])
  })

  it('of one organization goes alone: their account stays in another', async () => {
    const { ada, orgId } = cast
    const other = await organizationOf(server)
    const email = 'eskil@example.com'
    const here = await signInAs(server, { orgId, name: 'Eskil', email })
    const there = await signInAs(server, { orgId: other, name: 'Eskil', email })
    expect((await erase(here, {}, ada)).status).toBe(204)
    await look()
    expect((await chatOf(there).get('start')).status).toBe(200)
    expect((await chatOf({ ...there, orgId }).get('start')).status).toBe(404)
    const profiles = await server.parley.db.query(sql`
      select org_id as "orgId", name, account_id is not null as "hasAccount" from profiles
      where id = any(${[here.profileId, there.profileId]}) order by name`)
    expect(profiles).toEqual([
      { orgId, name: NAMELESS, hasAccount: false },
      { orgId: other, name: 'Eskil', hasAccount: true },
    ])
  })

  it('costs the same at each step, however much they wrote in a topic before', async () => {
    const { ada, orgId } = cast
    const writer = await signInAs(server, { orgId, name: 'Frode' })
    const id = sql`(lpad(to_hex(${Date.now()}::bigint + n), 12, '0') || '70008000' || lpad(to_hex(n), 12, '0'))::uuid`
    await server.parley.db.query(sql`
      insert into messages (org_id, id, topic_id, sender_id, type, text, created_at, updated_at)
      select ${orgId}, ${id}, ${topicId}, ${writer.profileId}, 'text', 'Line ' || n, 0, 0 from generate_series(1, 2500) as n`)
    await server.parley.db.query(sql`analyze messages`)
    expect((await erase(writer, { withMessages: true }, ada)).status).toBe(204)
    const costs: number[] = []
    for (let isMore = true; isMore; )
      isMore = await server.parley.db.write(orgId, (tx) => {
        measure(tx, /select m\.id, m\.sender_id, m\.mentions/, costs)
        return eraseSome(tx, writer.profileId)
      })
    const [first = 0, ...rest] = costs
    expect(rest.length).toBeGreaterThan(10)
    for (const buffers of rest)
      expect(buffers, `${first} buffers for the first step`).toBeLessThan(first * 1.5 + 20)
  })

  it('is deleted for others while it cannot be for one, and admins learn of it', async () => {
    const { ada, orgId } = cast
    const { db } = server.parley
    const [stuck, behind] = [
      await signInAs(server, { orgId, name: 'Gro' }),
      await signInAs(server, { orgId, name: 'Halvor' }),
    ]
    const stateOf = async (who: TestPerson) =>
      (await listed()).find(({ memberId }) => memberId === who.profileId)?.state
    expect((await erase(stuck, {}, ada)).status).toBe(204)
    const at = (doneTo: string | null) => sql`
      update erasures set step = 'answers', done_to = ${doneTo} where org_id = ${orgId} and profile_id = ${stuck.profileId}`
    await db.query(at('no place'))
    expect((await erase(behind, {}, ada)).status).toBe(204)
    await look()
    expect([await stateOf(stuck), await stateOf(behind)]).toEqual(['running', 'done'])
    for (const minutes of [1, 5]) {
      wait(minutes * 60_000)
      await look()
    }
    expect(await stateOf(stuck)).toBe('failing')
    expect(await lastAudit()).toMatchObject({
      action: 'member.data_deletion_failed',
      target: { id: stuck.profileId, name: NAMELESS },
    })
    wait(15 * 60_000)
    await look()
    const told = Object((await ada.get(`${organization()}/audit?targetId=${stuck.profileId}`)).body).entries
    const failed = told.filter(({ action }: { action: string }) => action === 'member.data_deletion_failed')
    expect(failed, 'said once').toHaveLength(1)
    await db.query(at(null))
    wait(3_600_000)
    await look()
    expect(await stateOf(stuck)).toBe('done')
    const { erasures, nextCursor } = Object((await ada.get(`${organization()}/erasures?limit=2`)).body)
    expect(erasures).toHaveLength(2)
    const next = await ada.get(`${organization()}/erasures?limit=2&cursor=${encodeURIComponent(nextCursor)}`)
    expect(Object(next.body).from).toBe(2)
    expect((await cast.ben.get(`${organization()}/erasures`)).status).toBe(403)
    expect((await ada.get(`${organization()}/erasures?cursor=x`)).status).toBe(400)
  })

  it('leaves the name of a namesake where it is', async () => {
    const { ada, orgId } = cast
    const [gone, stays] = [
      await signInAs(server, { orgId, name: 'Ida, Lund', email: 'ida@example.com' }),
      await signInAs(server, { orgId, name: 'Ida, Lund', email: 'lund@example.com' }),
    ]
    const memberIds = [gone.profileId, stays.profileId]
    const members = `${organization()}/topics/${topicId}/members`
    expect((await ada.post(members, { memberIds })).status).toBeLessThan(300)
    const changes = async () =>
      Object((await ada.get(`${organization()}/audit?targetId=${topicId}&limit=1`)).body).entries[0].changes
    expect(await changes()).toHaveLength(2)
    expect((await erase(gone, {}, ada)).status).toBe(204)
    await look()
    expect(await changes()).toEqual(
      expect.arrayContaining([
        { field: 'added', to: NAMELESS, toId: gone.profileId },
        { field: 'added', to: 'Ida, Lund', toId: stays.profileId },
      ]),
    )
  })

  it('leaves everything else in the audit log as it was', async () => {
    const { db } = server.parley
    for (const change of [sql`action = 'x'`, sql`target_name = 'x'`, sql`actor_name = ${NAMELESS}`])
      await expect(
        db.query(sql`update audit_log set ${change} where org_id = ${cast.orgId}`),
      ).rejects.toThrow('the audit log cannot be changed')
  })
})
