import { expect, it, vi } from 'vitest'
import { type PresenceChanges, PresenceNews } from '../../server/events/presence-news.ts'
import { atAnyTime, later, passTime, playTime, race } from './support.ts'

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

it('leaves every page with the latest state of each person, whenever they change and however long a frame takes', async () => {
  await race((scheduler) => {
    const pages = [new Map<string, boolean>(), new Map<string, boolean>()]
    const latest = new Map<string, boolean>()
    const news = new PresenceNews(
      async (changes) => {
        for (const [place, page] of pages.entries())
          await atAnyTime(scheduler, `page ${place} is told`, () => {
            for (const [id, isOnline] of changes) page.set(id, isOnline)
          })
      },
      () => pages.length,
    )
    const change = (id: string, isOnline: boolean) => {
      latest.set(id, isOnline)
      news.add(id, isOnline)
    }
    const person = async (id: string, states: readonly boolean[]) => {
      for (const isOnline of states)
        await atAnyTime(scheduler, `${id} ${isOnline}`, () => change(id, isOnline))
    }
    return [
      person('ada', [true, false, true]),
      person('ben', [true, false]),
      ...[1, 150, 250].map((milliseconds) => later(scheduler, milliseconds)),
      async () => {
        await passTime(scheduler, 5, 250)
        for (const page of pages) expect(page).toEqual(latest)
      },
    ]
  })
})

it('tells nothing once it is stopped', async () => {
  const { news, told } = newsFor(1)
  news.add('ada', true)
  news.stop()
  news.add('ben', true)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(told).toEqual([])
})
