import { expect, it, vi } from 'vitest'
import { type PresenceChanges, PresenceNews } from '../../server/events/presence-news.ts'
import { playTime } from './support.ts'

playTime()

/** News for so many streams: a frame takes the time of a turn. */
function newsFor(streams: number) {
  const told: { at: number; changes: PresenceChanges }[] = []
  const news = new PresenceNews(
    async (changes) => {
      told.push({ at: performance.now(), changes })
      await Promise.resolve()
    },
    () => streams,
  )
  return { news, told }
}

it('tells a single change at once', async () => {
  const { news, told } = newsFor(5000)
  news.add('ada', true)
  await vi.advanceTimersByTimeAsync(0)
  expect(told.map(({ changes }) => [...changes])).toEqual([[['ada', true]]])
})

it('gives a crowd to a crowd in few frames, with a bound for each second, and leaves nobody out', async () => {
  const { news, told } = newsFor(5000)
  for (let number = 0; number < 5000; number++) news.add(`person ${number}`, true)
  for (let number = 0; number < 5000; number += 2) news.add(`person ${number}`, false)
  await vi.advanceTimersByTimeAsync(200_000)
  const last = new Map(told.flatMap(({ changes }) => [...changes]))
  expect(last.size).toBe(5000)
  for (const [id, isOnline] of last) expect(isOnline, id).toBe(Number(id.split(' ')[1]) % 2 === 1)
  for (const [index, { at, changes }] of told.entries()) {
    expect(changes.size).toBeLessThanOrEqual(200)
    expect(
      (told[index + 1]?.at ?? at + 5000) - at,
      'five thousand streams are written to in five seconds',
    ).toBeGreaterThanOrEqual(5000)
  }
})

it('tells the last of a person who comes and goes while a frame is on its way', async () => {
  const seen: boolean[] = []
  let done = () => {}
  const news = new PresenceNews(
    (changes) => {
      seen.push(...changes.values())
      return new Promise((resolve) => {
        done = resolve
      })
    },
    () => 1,
  )
  news.add('ada', true)
  await vi.advanceTimersByTimeAsync(0)
  news.add('ada', false)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(seen, 'the first frame has not reached all').toEqual([true])
  done()
  await vi.advanceTimersByTimeAsync(1000)
  expect(seen).toEqual([true, false])
})

it('tells nothing once it is stopped', async () => {
  const { news, told } = newsFor(1)
  news.add('ada', true)
  news.stop()
  news.add('ben', true)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(told).toEqual([])
})
