import { describe, expect, it } from 'vitest'
import { type Circumstances, Fact, Judge, REFUSALS, rightAnswers } from './support/ledger/model.ts'

/** Long after every change of a test. */
const LATER = { from: Date.now() + 3_600_000, to: Date.now() + 3_600_000 }
const at = (time: number) => ({ from: time, to: time })
const done = async () => {}

function circumstances(changed: Partial<Circumstances> = {}): Circumstances {
  return {
    isPaused: new Fact(false),
    isMember: new Fact(true),
    isArchived: new Fact(false),
    areBotsStopped: new Fact(false),
    ...changed,
  }
}

describe('the ledger takes for right', () => {
  it('either answer while a change is under way and for a second after it, then the new one alone', async () => {
    const isArchived = new Fact(false)
    const before = Date.now() - 1
    await isArchived.change(true, done)
    const after = Date.now()
    const answersAt = (time: number) => rightAnswers(circumstances({ isArchived }), at(time))
    expect(answersAt(before)).toEqual(['201'])
    expect(answersAt(after)).toEqual([REFUSALS.archived, '201'])
    expect(answersAt(after + 900)).toEqual([REFUSALS.archived, '201'])
    expect(answersAt(after + 1100)).toEqual([REFUSALS.archived])
    // A message sent before the change and answered long after it.
    const span = { from: before, to: after + 5000 }
    expect(rightAnswers(circumstances({ isArchived }), span)).toEqual([REFUSALS.archived, '201'])
  })

  it('either answer for good after a change that failed, until the next one', async () => {
    const isPaused = new Fact(false)
    const failing = isPaused.change(true, () => Promise.reject(new Error('cut')))
    await expect(failing).rejects.toThrow('cut')
    expect(rightAnswers(circumstances({ isPaused }), LATER)).toEqual([REFUSALS.paused, '201'])
    await isPaused.change(false, done)
    expect(rightAnswers(circumstances({ isPaused }), LATER)).toEqual(['201'])
  })

  it('the first refusal in the order of the server', () => {
    const refused = { isMember: new Fact(false), isArchived: new Fact(true), isBlocked: new Fact(true) }
    expect(rightAnswers(circumstances(refused), LATER)).toEqual([REFUSALS.stranger])
    const { isMember: _, ...rest } = refused
    expect(rightAnswers(circumstances(rest), LATER)).toEqual([REFUSALS.archived])
    const isMentionedMember = new Fact(false)
    expect(rightAnswers(circumstances({ isMentionedMember }), LATER)).toEqual([REFUSALS.mention])
  })
})

it('counts what was wrongly refused, refused in other words, and wrongly let through', () => {
  const judge = new Judge()
  const allowed = circumstances()
  const forbidden = circumstances({ isArchived: new Fact(true) })
  judge.judge(allowed, LATER, '201')
  judge.judge(forbidden, LATER, REFUSALS.archived)
  expect([...judge.wronglyRefused, ...judge.wronglyLetThrough]).toEqual([])
  expect([...judge.rightlyRefused]).toEqual([[REFUSALS.archived, 1]])

  judge.judge(allowed, LATER, REFUSALS.stranger)
  judge.judge(forbidden, LATER, REFUSALS.stranger)
  judge.judge(forbidden, LATER, '201')
  expect([...judge.wronglyRefused]).toEqual([
    [`${REFUSALS.stranger} instead of 201`, 1],
    [`${REFUSALS.stranger} instead of ${REFUSALS.archived}`, 1],
  ])
  expect([...judge.wronglyLetThrough]).toEqual([[`201 instead of ${REFUSALS.archived}`, 1]])
})
