import { describe, expect, it } from 'vitest'
import { BoundedMap } from '../server/limits/bounded-map.ts'

describe('a bounded map', () => {
  it('keeps the newest, as many as there may be', () => {
    const map = new BoundedMap<number>({ entries: 3, bytes: 1_000_000 }, () => 8)
    for (let number = 1; number <= 5; number++) map.set(`${number}`, number)
    expect([...map]).toEqual([
      ['3', 3],
      ['4', 4],
      ['5', 5],
    ])
  })

  it('keeps no more bytes than there may be, names included', () => {
    const map = new BoundedMap<string>({ entries: 1_000_000, bytes: 100_000 }, (text) => 2 * text.length)
    for (let number = 0; number < 1000; number++) {
      map.set(`${'n'.repeat(1000)} ${number}`, 'v'.repeat(number))
      expect(map.bytes).toBeLessThanOrEqual(100_000)
    }
    expect(map.size).toBeGreaterThan(10)
    expect(map.size).toBeLessThan(50)
    map.set('too large', 'v'.repeat(100_000))
    expect(map.has('too large')).toBe(false)
    expect(map.size).toBeGreaterThan(10)
  })

  it('forgets the bytes of what is replaced, deleted and cleared', () => {
    const map = new BoundedMap<string>({ entries: 10, bytes: 10_000 }, (text) => text.length)
    map.set('a', 'x'.repeat(100))
    const once = map.bytes
    map.set('a', 'x'.repeat(100))
    expect([map.bytes, map.size]).toEqual([once, 1])
    map.set('b', '')
    map.delete('b')
    map.delete('b')
    expect(map.bytes).toBe(once)
    map.clear()
    expect([map.bytes, map.size]).toEqual([0, 0])
  })
})
