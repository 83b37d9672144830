import { describe, expect, it } from 'vitest'
import { MAX_SELECTED, Selection } from '../web/src/chat/views/conversation/list/selection.ts'

describe('a selection of messages', () => {
  const among = Array.from({ length: MAX_SELECTED + 2 }, (_, number) => `message ${number}`)
  const [first = '', second = '', third = '', fourth = ''] = among
  const idsOf = (selection: Selection) => [...(selection.get() ?? [])].toSorted()

  it('begins with its first message, and is over without any', () => {
    const selection = new Selection()
    expect(selection.get()).toBeUndefined()
    selection.toggle(first)
    selection.toggle(second)
    selection.toggle(first)
    expect(idsOf(selection)).toEqual([second])
    selection.toggle(second)
    expect(selection.get()).toBeUndefined()
  })

  it('takes all from the last one up to another, in both directions', () => {
    const selection = new Selection()
    selection.toggle(third)
    selection.toggle(first, among)
    expect(idsOf(selection)).toEqual([first, second, third])
    selection.toggle(fourth, among)
    expect(idsOf(selection)).toEqual([first, second, third, fourth])
  })

  it('refuses what would be too many, and changes nothing', () => {
    const selection = new Selection()
    selection.toggle(first)
    selection.toggle(among[MAX_SELECTED] ?? '', among)
    expect(selection.wasRefused).toBe(true)
    expect(idsOf(selection)).toEqual([first])
    selection.toggle(among[MAX_SELECTED - 1] ?? '', among)
    expect(selection.wasRefused).toBe(false)
    expect(idsOf(selection)).toHaveLength(MAX_SELECTED)
  })
})
