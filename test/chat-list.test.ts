import { describe, expect, test } from 'vitest'
import { indexAfter } from '../web/src/chat/store/order.ts'
import {
  changeOf,
  firstUnread,
  indexOfId,
  isGrouped,
  readThrough,
} from '../web/src/chat/views/conversation/list/rows.ts'

const ids = ['m1', 'm2', 'm3', 'm4', 'm5']

test('places of ids are found without looking at each', () => {
  expect(ids.map((id) => indexOfId(ids, id))).toEqual([0, 1, 2, 3, 4])
  expect([indexOfId(ids, 'm25'), indexOfId(ids, undefined), indexOfId([], 'm1')]).toEqual([-1, -1, -1])
  expect([
    indexAfter(ids, null),
    indexAfter(ids, 'm0'),
    indexAfter(ids, 'm3'),
    indexAfter(ids, 'm9'),
  ]).toEqual([0, 0, 3, 5])
  const many = Array.from({ length: 100_000 }, (_, index) => String(index).padStart(6, '0'))
  let looks = 0
  const counted = new Proxy(many, {
    get(target, name, receiver) {
      if (typeof name === 'string' && /^\d+$/.test(name)) looks += 1
      return Reflect.get(target, name, receiver)
    },
  })
  expect(indexOfId(counted, '077777')).toBe(77_777)
  expect(looks).toBeLessThan(20)
})

describe('what counts as read', () => {
  const seen = { ids, hasBefore: false, unreadAfter: 'm2', isOwn: (_id: string) => false, first: 0, last: 4 }

  test('is what was on the screen, up to its end', () => {
    expect(readThrough(seen)).toBe('m5')
    expect(readThrough({ ...seen, first: 2, last: 3 })).toBe('m4')
    expect(readThrough({ ...seen, unreadAfter: null, last: 0 })).toBe('m1')
  })

  test('is not what was jumped over', () => {
    expect(readThrough({ ...seen, first: 3, last: 4 })).toBeUndefined()
    expect(readThrough({ ...seen, unreadAfter: 'm0', hasBefore: true })).toBeUndefined()
    expect(readThrough({ ...seen, unreadAfter: null, hasBefore: true })).toBeUndefined()
  })

  test('is nothing new where all is read, or the unread is further down', () => {
    expect(readThrough({ ...seen, unreadAfter: 'm5' })).toBeUndefined()
    expect(readThrough({ ...seen, last: 1 })).toBeUndefined()
    expect(readThrough({ ...seen, ids: [] })).toBeUndefined()
  })

  test('passes over what one wrote oneself', () => {
    const isOwn = (id: string) => id === 'm3' || id === 'm4'
    expect(firstUnread(ids, 'm2', isOwn)).toBe(4)
    expect(firstUnread(ids, 'm2', () => true)).toBe(5)
    expect(readThrough({ ...seen, isOwn, first: 4 })).toBe('m5')
  })

  test('goes on where the last read message was deleted', () => {
    expect(readThrough({ ...seen, unreadAfter: 'm21', first: 1, last: 3 })).toBe('m4')
  })
})

describe('what became of a list', () => {
  test.each([
    ['same', ids],
    ['after', [...ids, 'm6']],
    ['before', ['k1', 'k2', ...ids]],
    ['inside', ['m1', 'm2', 'm4', 'm5']],
    ['cutBefore', ['m3', 'm4', 'm5']],
    ['cutAfter', ['m1', 'm2', 'm3']],
    ['inside', ['m2', 'm3', 'm4']],
    ['inside', ['k1', 'm1', 'm2', 'm3']],
    ['inside', ['k1', ...ids, 'm6']],
    ['replaced', ['x1', 'x2']],
    ['replaced', []],
  ] as const)('%s: %j', (change, now) => {
    expect(changeOf(ids, [...now])).toBe(change)
  })
})

describe('messages are grouped', () => {
  const at = new Date(2026, 2, 12, 16, 0).getTime()
  const message = { senderId: 'a', createdAt: at, isSystem: false }

  test('by sender within five minutes', () => {
    expect(isGrouped(message, { ...message, createdAt: at + 299_999 })).toBe(true)
    expect(isGrouped(message, { ...message, createdAt: at + 300_000 })).toBe(false)
    expect(isGrouped(message, { ...message, senderId: 'b' })).toBe(false)
    expect(isGrouped(undefined, message)).toBe(false)
  })

  test('not across days, threads and what Parley itself says', () => {
    const late = { ...message, createdAt: new Date(2026, 2, 12, 23, 59).getTime() }
    expect(isGrouped(late, { ...message, createdAt: late.createdAt + 120_000 })).toBe(false)
    expect(isGrouped(message, { ...message, parentId: 'p' })).toBe(false)
    expect(isGrouped({ ...message, isSystem: true }, message)).toBe(false)
  })
})
