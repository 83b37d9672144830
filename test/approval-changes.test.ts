import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ActionsInput } from '../contract/actions.ts'
import { recordPreview } from '../server/actions/messages/link-previews.ts'
import { sql } from '../server/db/sql.ts'
import type { Job } from '../server/jobs/queue.ts'
import { linkIn } from '../server/link-in-text.ts'
import {
  type Approvals,
  CHANGED,
  type Change,
  hashOf,
  PRODUCTION,
  type Shown,
  STAGING,
  startApprovals,
} from './support/approvals.ts'
import { chatOf, refusal } from './support/chat.ts'

let stage: Approvals

beforeAll(async () => {
  stage = await startApprovals()
})
afterAll(() => stage.close())

const withoutAnswers = ({ text, actions }: Shown) => ({ text, ...actions, answers: [] })

/* A property over ways to change a message with buttons, and presses of what was on the screen at any time before. */

const LABELS = ['Deploy', 'Drop it']
const text = fc.constantFrom(STAGING, PRODUCTION, 'Deploy? https://example.com/other', 'Deploy?')
const option = fc.constantFrom({ text: 'Now', value: 'now' }, { text: 'Later', value: 'later' })
const options = fc.uniqueArray(option, { minLength: 1, selector: ({ value }) => value })
const field = fc.record(
  {
    id: fc.constantFrom('why', 'who'),
    text: fc.constantFrom('Why?', 'Who?'),
    required: fc.boolean(),
    type: fc.constantFrom('text' as const, 'paragraph' as const),
  },
  { requiredKeys: ['id', 'text'] },
)
const fields = fc.uniqueArray(field, { minLength: 1, selector: ({ id }) => id })
const named = { id: fc.constantFrom('a', 'b'), text: fc.constantFrom(...LABELS) }
const element = fc.oneof(
  fc.record(
    {
      ...named,
      value: fc.constantFrom('1', '2'),
      style: fc.constantFrom('primary' as const, 'danger' as const),
    },
    { requiredKeys: ['id', 'text'] },
  ),
  fc.record({ ...named, options }),
  fc.record({ ...named, fields }),
)
const actions: fc.Arbitrary<ActionsInput> = fc.record({
  elements: fc.uniqueArray(element, { minLength: 1, maxLength: 2, selector: ({ id }) => id }),
  use: fc.constantFrom('once' as const, 'each' as const, 'always' as const),
  who: fc.constantFrom('anyone' as const, 'admins' as const),
  approval: fc.constant(true),
})
const index = fc.nat(9)
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ type: fc.constant('edit' as const), change: fc.record({ text }) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('edit' as const), change: fc.record({ actions }) }) },
  {
    weight: 1,
    arbitrary: fc.record({ type: fc.constant('edit' as const), change: fc.record({ text, actions }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('edit' as const),
      change: fc.record({ text, actions: fc.constant(null) }, { requiredKeys: ['actions'] }),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ type: 'around' as const }) },
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constant('press' as const),
      screen: index,
      element: index,
      isAda: fc.boolean(),
    }),
  },
)
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

class Story {
  readonly id: string
  /** States of the message that a page has shown so far. */
  readonly screens: Shown[] = []
  taken = 0

  constructor(id: string) {
    this.id = id
  }

  async look(): Promise<Shown> {
    const shown = await stage.look(this.id)
    if (shown.actions) this.screens.push(shown)
    return shown
  }

  async play(step: Step): Promise<void> {
    const before = await this.look()
    if (step.type === 'edit') await this.#edit(before, step.change)
    if (step.type === 'around') await this.#around(before)
    if (step.type === 'press') await this.#press(before, step)
  }

  async #edit(before: Shown, change: Change): Promise<void> {
    const isSame = (change.text ?? before.text) === before.text && change.actions === undefined
    const isFrozen = (before.actions?.answers.length ?? 0) > 0 && change.actions === undefined && !isSame
    expect((await stage.edit(this.id, change)).status).toBe(isFrozen ? 409 : 200)
    const after = await this.look()
    if (isFrozen || isSame) return expect(after).toEqual(before)
    expect(after.text).toBe(change.text ?? before.text)
    if (!after.actions) return
    expect(after.actions.answers).toEqual([])
    expect(after.actions.id).not.toBe(before.actions?.id)
  }

  /** Adds a reaction and a link preview, which do not change what the message says. */
  async #around(before: Shown): Promise<void> {
    await chatOf(stage.ben).post(`messages/${this.id}/reactions`, { reaction: '👍' })
    const url = linkIn(before.text) ?? ''
    await stage.server.parley.db.write(stage.orgId, async (tx) => {
      const [job] = await tx.query<Job>(sql`
        select id, org_id as "orgId", message_id as "messageId", attachment_id as "attachmentId", attempts from jobs
        where org_id = ${stage.orgId} and message_id = ${this.id} limit 1`)
      if (job) await recordPreview(tx, job, { url, isNew: true, preview: { url, title: 'The plan' } })
    })
    expect(withoutAnswers(await this.look())).toEqual(withoutAnswers(before))
  }

  async #press(now: Shown, { screen, element: at, isAda }: Extract<Step, { type: 'press' }>): Promise<void> {
    // Counts from the newest, so that most presses answer the current text.
    const seen = this.screens.at(-1 - (screen % Math.max(1, this.screens.length)))
    const chosen = seen?.actions?.elements[at % seen.actions.elements.length]
    if (!seen?.actions || !chosen) return
    const who = isAda ? stage.ada : stage.ben
    const value = chosen.options?.at(0)?.value
    const values = chosen.fields && Object.fromEntries(chosen.fields.map(({ id }) => [id, `Of ${seen.text}`]))
    const given = { elementId: chosen.id, ...(value && { value }), ...(values && { values }) }
    const pressed = await stage.press(who, this.id, seen, given)
    const isThere = JSON.stringify(withoutAnswers(seen)) === JSON.stringify(withoutAnswers(now))
    if (!isThere) expect(refusal(pressed)).toMatchObject({ status: 409, body: CHANGED })
    if (isThere && this.#mayAnswer(now, isAda)) expect(pressed.status, pressed.text).toBe(201)
    if (pressed.status === 201) this.taken += 1
    const entries = await stage.entriesOf(this.id)
    expect(entries).toHaveLength(this.taken)
    if (pressed.status !== 201) return
    expect(entries[0]).toEqual({
      question: seen.text,
      answer: value ? `${chosen.text}: ${chosen.options?.at(0)?.text}` : chosen.text,
      ...((value ?? chosen.value) && { value: value ?? chosen.value }),
      ...(values && { form: JSON.stringify(values) }),
      hash: hashOf(seen),
      message: this.id,
    })
  }

  #mayAnswer({ actions: asked }: Shown, isAda: boolean): boolean {
    if (asked?.who === 'admins' && !isAda) return false
    const { profileId } = isAda ? stage.ada : stage.ben
    return (
      asked?.use === 'always' ||
      !asked?.answers.some(({ userId }) => asked.use === 'once' || userId === profileId)
    )
  }

  /** Checks that every event about the message has the text that it shows. */
  checkEvents(): number {
    const told = stage.stream.seen.flatMap(({ data }): Shown[] => {
      const { message } = Object(data)
      return message?.id === this.id && message.actions ? [message] : []
    })
    for (const shown of told) expect(shown.actions?.hash).toBe(hashOf(shown))
    return told.length
  }
}

const STARTS = ['sent', 'streamed'] as const
type Start = (typeof STARTS)[number]

async function begin(start: Start, said: string, asked: ActionsInput): Promise<Story> {
  if (start === 'sent') return new Story(await stage.ask(said, asked))
  const { bot, topicId, edit } = stage
  const { id } = Object((await bot.post('/v2/messages', { topicId, text: 'Deploy', streaming: true })).body)
  expect((await edit(id, { actions: asked })).status, 'no question while its text grows').toBe(404)
  expect((await bot.post(`/v2/messages/${id}/finish`, { text: said })).status).toBe(200)
  expect((await edit(id, { actions: asked })).status).toBe(200)
  return new Story(id)
}

it('every audit entry of an approval says what the presser was shown, however the message changed before', async () => {
  let taken = 0
  let told = 0
  const property = fc.asyncProperty(
    fc.constantFrom(...STARTS),
    text,
    actions,
    fc.array(step, { minLength: 4, maxLength: 14 }),
    async (start, said, asked, steps) => {
      const story = await begin(start, said, asked)
      for (const one of steps) await story.play(one)
      taken += story.taken
      told += story.checkEvents()
    },
  )
  await fc.assert(property, { seed: 1, numRuns: 20 })
  expect(taken).toBeGreaterThan(10)
  expect(told).toBeGreaterThan(20)
})
