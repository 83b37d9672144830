import { availableParallelism } from 'node:os'
import { expect, it } from 'vitest'
import { readConfig } from '../server/config.ts'

const workersOf = (WORKERS?: string) => readConfig({ DATA_DIR: '/tmp/parley', WORKERS }).workers

it('answers with one process unless told otherwise', () => {
  expect(workersOf()).toBe(1)
  expect(workersOf('')).toBe(1)
  expect(workersOf('4')).toBe(4)
})

it('leaves the database a core where it counts them itself', () => {
  expect(workersOf('auto')).toBe(Math.min(8, Math.max(1, availableParallelism() - 1)))
})

it.each(['0', '9', '-1', '2.5', 'many', 'AUTO'])('refuses %s processes, and says what is right', (wrong) => {
  expect(() => workersOf(wrong)).toThrow(
    `WORKERS is "${wrong}"; it must be a whole number from 1 to 8, or auto.`,
  )
})
