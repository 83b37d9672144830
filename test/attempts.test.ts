import { expect, it } from 'vitest'
import { Attempts } from '../server/limits/attempts.ts'

const MINUTE = 60_000

it('a crowd of names drops the oldest, and not those that just failed', () => {
  const attempts = new Attempts(1, () => 0)
  attempts.failed('first')
  for (let name = 0; name < 49_998; name++) attempts.failed(`name ${name}`)
  attempts.failed('last')
  expect([attempts.waitFor('first'), attempts.waitFor('last')]).toEqual([MINUTE, MINUTE])
  attempts.failed('one more')
  expect([attempts.waitFor('first'), attempts.waitFor('last')]).toEqual([0, MINUTE])
})

it('what is taken back late is not taken from the next window', () => {
  let now = 0
  const attempts = new Attempts(1, () => now)
  const takeBack = attempts.failed('ada')
  now = MINUTE
  attempts.failed('ada')
  takeBack()
  expect(attempts.waitFor('ada')).toBe(MINUTE)
})
