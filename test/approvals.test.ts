import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../server/db/sql.ts'
import {
  type Approvals,
  CHANGED,
  hashOf,
  PRODUCTION,
  type Shown,
  STAGING,
  startApprovals,
  YES,
} from './support/approvals.ts'
import { refusal } from './support/chat.ts'
import { signInToProfile, type TestPerson } from './support/people.ts'

const FROZEN = 'the question was answered: send actions with the text, null to end it'
const RELOAD = 'reload the page to answer'

let stage: Approvals
let ada: TestPerson
let ben: TestPerson
let ask: Approvals['ask']
let edit: Approvals['edit']
let look: Approvals['look']
let press: Approvals['press']
let entriesOf: Approvals['entriesOf']

beforeAll(async () => {
  stage = await startApprovals()
  ;({ ada, ben, ask, edit, look, press, entriesOf } = stage)
})
afterAll(() => stage.close())

describe('an answer', () => {
  it('is not taken for a text that came in place of the one that was seen', async () => {
    const id = await ask(STAGING)
    const seen = await look(id)
    expect((await edit(id, { text: PRODUCTION })).status).toBe(200)
    const now = await look(id)
    expect(now.actions?.id).not.toBe(seen.actions?.id)
    expect(now.actions?.hash).not.toBe(seen.actions?.hash)
    expect(refusal(await press(ben, id, seen))).toMatchObject({ status: 409, body: CHANGED })
    const mixed = { ...seen, actions: { ...Object(now.actions), hash: seen.actions?.hash } }
    expect(refusal(await press(ben, id, mixed)), 'the new id with the old hash').toMatchObject({
      status: 409,
      body: CHANGED,
    })
    expect(await entriesOf(id)).toEqual([])
    expect((await press(ben, id, now)).status).toBe(201)
    expect(await entriesOf(id)).toMatchObject([{ question: PRODUCTION, hash: hashOf(now) }])
  })

  it('freezes the text until the bot ends the question or asks another', async () => {
    for (const use of ['once', 'each'] as const) {
      const id = await ask(STAGING, { use })
      expect((await press(ben, id, await look(id))).status).toBe(201)
      const answered = await look(id)
      expect(refusal(await edit(id, { text: PRODUCTION }))).toMatchObject({ status: 409, body: FROZEN })
      expect((await edit(id, { text: STAGING })).status, 'the same text').toBe(200)
      expect(await look(id)).toEqual(answered)
      expect((await edit(id, { text: 'Deployed.', actions: null })).status).toBe(200)
      expect(await look(id)).not.toHaveProperty('actions')
      expect((await edit(id, { actions: { elements: [YES], use } })).status).toBe(200)
      const asked = await look(id)
      expect(asked.actions?.answers).toEqual([])
      expect((await press(ben, id, asked)).status).toBe(201)
      expect((await edit(id, { text: PRODUCTION, actions: { elements: [YES], use } })).status).toBe(200)
      expect((await look(id)).actions?.answers).toEqual([])
      expect(refusal(await press(ben, id, asked))).toMatchObject({ status: 409, body: CHANGED })
    }
  })

  it('of a tool that is used again and again counts for the text under which it was given', async () => {
    const id = await ask('Item 1', { use: 'always' })
    const first = await look(id)
    expect((await press(ben, id, first)).status).toBe(201)
    expect((await edit(id, { text: 'Item 2' })).status).toBe(200)
    expect(refusal(await press(ben, id, first))).toMatchObject({ status: 409, body: CHANGED })
    expect((await press(ben, id, await look(id))).status).toBe(201)
    expect((await entriesOf(id)).map(({ question }) => question)).toEqual(['Item 2', 'Item 1'])
  })

  it('stands in the audit log with the whole text, value, form and hash', async () => {
    const long = `${'x'.repeat(9_000)} and drop the database?`
    const fields = [{ id: 'reason', text: 'Why?', required: true }]
    const id = await ask(long, { elements: [{ id: 'no', text: 'No', fields }, YES], use: 'each' })
    const seen = await look(id)
    await press(ada, id, seen)
    await press(ben, id, seen, { elementId: 'no', values: { reason: 'The fair is today' } })
    const hash = hashOf(seen)
    expect(await entriesOf(id)).toEqual([
      { question: long, answer: 'No', form: '{"reason":"The fair is today"}', hash, message: id },
      { question: long, answer: 'Deploy', value: '1', hash, message: id },
    ])
  })

  it('stands in the audit log with the title and the facts of the card, which are part of what was seen', async () => {
    const facts = [
      { label: 'Checks', text: '214 passed' },
      { label: 'Way back', text: 'One step' },
    ]
    const id = await ask(STAGING, { title: 'Put 4.2.0 into the shop?', facts })
    const seen = await look(id)
    expect(seen.actions).toMatchObject({ title: 'Put 4.2.0 into the shop?', facts })
    const fewer = {
      title: 'Put 4.2.0 into the shop?',
      facts: facts.slice(0, 1),
      elements: [YES],
      approval: true,
    }
    expect((await edit(id, { actions: fewer })).status).toBe(200)
    const now = await look(id)
    expect(hashOf(now)).not.toBe(hashOf(seen))
    const mixed = { ...seen, actions: { ...Object(now.actions), hash: seen.actions?.hash } }
    expect(refusal(await press(ben, id, mixed))).toMatchObject({ status: 409, body: CHANGED })
    expect((await press(ben, id, now)).status).toBe(201)
    expect(await entriesOf(id)).toMatchObject([
      { question: STAGING, title: 'Put 4.2.0 into the shop?', facts: 'Checks: 214 passed' },
    ])
  })

  it('without a hash, of a page of the version before, is taken where the text never changed', async () => {
    const bare = ({ actions: { hash: _none, ...actions } = Object() }: Shown) => ({ text: '', actions })
    const pressBare = async (id: string) => press(ben, id, Object(bare(await look(id))))
    expect((await pressBare(await ask(STAGING))).status).toBe(201)
    const other = await ask(STAGING)
    expect((await edit(other, { actions: { elements: [YES] } })).status).toBe(200)
    expect((await pressBare(other)).status, 'other buttons have another id').toBe(201)
    const changed = await ask(STAGING)
    expect((await edit(changed, { text: PRODUCTION })).status).toBe(200)
    expect(refusal(await pressBare(changed))).toMatchObject({ status: 409, body: RELOAD })
    expect(await entriesOf(changed)).toEqual([])
  })

  it('is refused where another version changes the text and leaves the id as it was', async () => {
    const id = await ask(STAGING)
    const seen = await look(id)
    await stage.server.parley.db.query(
      sql`update messages set text = ${PRODUCTION}, is_edited = true where org_id = ${stage.orgId} and id = ${id}`,
    )
    expect(refusal(await press(ben, id, seen))).toMatchObject({ status: 409, body: CHANGED })
    expect((await press(ben, id, await look(id))).status).toBe(201)
  })

  it('and a concurrent edit come one after the other, on any nodes', async () => {
    const second = await stage.server.secondNode()
    const elsewhere = { ...(await signInToProfile(stage.server, ben)), url: second.url }
    for (let round = 0; round < 9; round += 1) {
      const id = await ask(STAGING, { use: round % 2 === 0 ? 'once' : 'each' })
      const seen = await look(id)
      const presses = () => [press(elsewhere, id, seen), press(ada, id, seen)]
      const edits = () => [edit(id, { text: PRODUCTION }), edit(id, { text: `${PRODUCTION} Now?` })]
      const begun =
        round % 3 === 0 ? { answers: presses(), changes: edits() } : { changes: edits(), answers: presses() }
      const changes = await Promise.all(begun.changes)
      const answers = await Promise.all(begun.answers)
      const after = await look(id)
      const taken = answers.filter(({ status }) => status === 201).length
      expect(after.actions?.answers.length).toBe(taken)
      expect(await entriesOf(id)).toHaveLength(taken)
      for (const entry of await entriesOf(id))
        expect(entry).toMatchObject({ question: seen.text, hash: seen.actions?.hash })
      if (taken > 0) {
        expect(after.text).toBe(STAGING)
        expect(changes.map(refusal).map(({ body }) => body)).toEqual([FROZEN, FROZEN])
      } else {
        expect(changes.map(({ status }) => status)).toEqual([200, 200])
        expect(answers.map(refusal).map(({ body }) => body)).toEqual([CHANGED, CHANGED])
      }
    }
  })
})
