import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { fileQueue, type WebhookEvent } from '../sdk/index.ts'
import { createLanes } from '../sdk/lanes.ts'
import { placeOf } from '../sdk/places.ts'
import { createProgress } from '../sdk/progress.ts'

/** Work that ends when the test says so. */
function scripted(limit: number) {
  const lanes = createLanes(limit)
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const add = (name: string, lane: string, ...about: string[]) =>
    lanes.add({
      lane,
      about,
      run: () =>
        new Promise((resolve) => {
          begun.push(name)
          ends.set(name, resolve)
        }),
    })
  const end = async (name: string) => {
    ends.get(name)?.()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { lanes, begun, add, end }
}

it('runs lanes side by side up to the limit, and each in its order', async () => {
  const { lanes, begun, add, end } = scripted(2)
  for (const name of ['a1', 'a2', 'b1', 'c1']) add(name, name.slice(0, 1))
  expect(begun).toEqual(['a1', 'b1'])
  await end('b1')
  expect(begun).toEqual(['a1', 'b1', 'c1'])
  await end('a1')
  expect(begun).toEqual(['a1', 'b1', 'c1', 'a2'])
  const idle = lanes.until(0)
  await end('c1')
  await end('a2')
  await idle
  expect(lanes.size).toBe(0)
})

it('keeps what is about an unfinished message behind it, and forgets the message afterwards', async () => {
  const { begun, add, end } = scripted(8)
  add('message', 'topic', 'm')
  add('reply', 'topic m', 'r', 'm')
  add('reply deleted', 'topic', 'r')
  add('elsewhere', 'other', 'x')
  expect(begun).toEqual(['message', 'elsewhere'])
  await end('message')
  await end('reply')
  await end('reply deleted')
  expect(begun).toEqual(['message', 'elsewhere', 'reply', 'reply deleted'])
  add('another', 'topic', 'n')
  add('later reply', 'topic m', 's', 'm')
  expect(begun.slice(4), 'a thread goes on beside its topic').toEqual(['another', 'later reply'])
})

it('begins nothing after a stop, and waits for what runs', async () => {
  const { lanes, begun, add, end } = scripted(1)
  add('runs', 'a')
  add('waits', 'b')
  lanes.stop()
  let isOver = false
  const over = lanes.until(0).then(() => {
    isOver = true
  })
  expect(isOver).toBe(false)
  await end('runs')
  await over
  expect(begun).toEqual(['runs'])
})

it('work that fails holds nothing up', async () => {
  const lanes = createLanes(1)
  lanes.add({ lane: 'a', about: ['m'], run: () => Promise.reject(new Error('no')) })
  let isRun = false
  lanes.add({
    lane: 'a',
    about: ['m'],
    run: async () => {
      isRun = true
    },
  })
  await lanes.until(0)
  expect(isRun).toBe(true)
})

it('places events: threads beside topics, commands and answers to buttons beside messages', () => {
  const message = { id: 'm', topicId: 't', parentId: 'p' }
  expect(placeOf('message.created', { message })).toEqual({ lane: 't p', about: ['m', 'p'] })
  expect(placeOf('message.created', { message: { id: 'm', topicId: 't' } })).toEqual({
    lane: 't ',
    about: ['m'],
  })
  expect(placeOf('reaction.added', { topicId: 't', messageId: 'm' })).toEqual({ lane: 't ', about: ['m'] })
  expect(placeOf('message.command', { topicId: 't', messageId: 'm' })).toEqual({
    lane: 'command t ',
    about: [],
  })
  expect(placeOf('message.action', { topicId: 't', messageId: 'm' })).toEqual({ lane: 'action m', about: [] })
  expect(placeOf('something.new', null)).toEqual({ lane: 'undefined ', about: [] })
})

it('writes the place before the oldest unfinished event, one write at a time, and again after a failure', async () => {
  const written: string[] = []
  let isBroken = false
  const progress = createProgress(
    {
      async write(position) {
        await new Promise((resolve) => setImmediate(resolve))
        if (isBroken) throw new Error('disk full')
        written.push(position)
      },
    },
    'begin',
  )
  const [one, two, three] = [progress.note('1'), progress.note('2'), progress.note('3')]
  progress.note('page', true)
  await progress.finish(two)
  expect([progress.position, written]).toEqual(['begin', []])
  await progress.finish(one)
  expect([progress.position, written, progress.isOpen]).toEqual(['2', ['2'], true])
  isBroken = true
  await expect(progress.finish(three)).rejects.toThrow('disk full')
  isBroken = false
  await progress.save()
  expect([progress.position, written, progress.isOpen]).toEqual(['page', ['2', 'page'], false])
})

it('keeps events in files, in the order of arrival, also for the next process', async () => {
  const folder = join(await mkdtemp(join(tmpdir(), 'parley-queue-')), 'inbox')
  const event = (id: string): WebhookEvent => ({
    id,
    type: 'topic.updated',
    eventVersion: 1,
    timestamp: 1,
    data: { topicId: 't', actorId: 'a', changes: {} },
  })
  const first = fileQueue(folder)
  expect(await first.read()).toEqual([])
  for (const id of ['../evt_1', 'evt_2', 'evt_3']) await first.add(event(id))
  expect(await readdir(folder)).toHaveLength(3)
  await first.remove(event('evt_2'))
  const second = fileQueue(folder)
  expect((await second.read()).map(({ id }) => id)).toEqual(['../evt_1', 'evt_3'])
  await second.add(event('evt_4'))
  for (const id of ['../evt_1', 'evt_3', 'evt_4', 'unknown']) await second.remove(event(id))
  expect(await readdir(folder)).toEqual([])
  await rm(folder, { recursive: true })
})
