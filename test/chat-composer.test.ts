import { describe, expect, test } from 'vitest'
import { findNames, queryAt } from '../web/src/chat/views/conversation/composer/completion.ts'
import {
  continueList,
  linkOver,
  makeLink,
  type Replacement,
  type Selection,
  toggleCode,
  toggleList,
  toggleMark,
} from '../web/src/chat/views/conversation/composer/shortcuts.ts'
import {
  decode,
  encode,
  lengthOf,
  pick,
  topicLink,
} from '../web/src/chat/views/conversation/composer/written.ts'
import { emojiOf, findEmoji } from '../web/src/chat/views/conversation/emoji/data.ts'

const ada = { id: '3f2b8a6e-1c4d-4e5f-9a0b-7c6d5e4f3a2b', name: 'Ada Okafor' }
const scribe = { id: 'b@0d5c3f4e-6a1b-4c2d-8e9f-102030405060', name: 'Scribe' }
const nameOf = (id: string) => [ada, scribe].find((member) => member.id === id)?.name

describe('names are sent as ids', () => {
  test('where they were picked, and back again', () => {
    const picked = pick({ picks: [] }, '@Ada Okafor', `<@${ada.id}>`)
    const written = { text: 'Hello @Ada Okafor, see @Ada', picks: picked.picks }
    const wire = `Hello <@${ada.id}>, see @Ada`
    expect(encode(written)).toBe(wire)
    expect(decode(wire, nameOf)).toEqual(written)
    expect(encode(decode(`<@${scribe.id}> <@${ada.id}>`, nameOf))).toBe(`<@${scribe.id}> <@${ada.id}>`)
  })

  test('where they were typed whole, and only one member has the name', () => {
    expect(encode({ text: '@Scribe sum up', picks: [] }, [ada, scribe])).toBe(`<@${scribe.id}> sum up`)
    expect(encode({ text: '@Scribes sum up', picks: [] }, [scribe])).toBe('@Scribes sum up')
    expect(encode({ text: '@Scribe', picks: [] }, [scribe, { ...ada, name: 'Scribe' }])).toBe('@Scribe')
  })

  test('with a number where two have the same', () => {
    const first = pick({ picks: [] }, '@Ada', '<@1>')
    const second = pick(first, '@Ada', '<@2>')
    expect(second.label).toBe('@Ada (2)')
    expect(encode({ text: '@Ada and @Ada (2)', picks: second.picks })).toBe('<@1> and <@2>')
    expect(pick(second, '@Ada', '<@1>').label).toBe('@Ada')
  })

  test('whatever the name is', () => {
    const odd = { id: ada.id, name: 'A. (+) [x] $& \\' }
    expect(
      encode({ text: `@${odd.name} hi`, picks: [{ label: `@${odd.name}`, wire: `<@${odd.id}>` }] }),
    ).toBe(`<@${odd.id}> hi`)
    expect(decode('<@un known> <@3f2b8a6e-1c4d-4e5f-9a0b-000000000000>', nameOf)).toEqual({
      text: '<@un known> <@3f2b8a6e-1c4d-4e5f-9a0b-000000000000>',
      picks: [],
    })
  })

  test('topics are sent as links', () => {
    const link = topicLink({ id: ada.id, name: 'Sales [EU]' }, 'https://chat.example')
    expect(link).toEqual({
      label: '#Sales [EU]',
      wire: `[#Sales \\[EU\\]](https://chat.example/t/${ada.id})`,
    })
    expect(encode({ text: 'see #Sales [EU]', picks: [link] })).toBe(`see ${link.wire}`)
    expect(decode(`see ${link.wire}`, nameOf, [link])).toEqual({ text: 'see #Sales [EU]', picks: [link] })
  })
})

test('lengths are counted in code points', () => {
  expect(lengthOf('aé👍')).toBe(3)
})

describe('what is completed', () => {
  test.each([
    ['@', '@', ''],
    ['hi @ada ok', '@', 'ada ok'],
    ['(@in', '@', 'in'],
    ['see #gen', '#', 'gen'],
    [':smi', ':', 'smi'],
    ['ok :+1', ':', '+1'],
  ])('%s', (text, sign, typed) => {
    expect(queryAt(text, text.length)).toEqual({ sign, typed, start: text.length - typed.length - 1 })
  })

  test.each(['ada@example', 'at 10:30', 'https://a', 'a#b', ': )', ':a', 'no sign'])(
    'nothing in %s',
    (text) => {
      expect(queryAt(text, text.length)).toBeUndefined()
    },
  )

  test('only up to the caret, and not across lines', () => {
    expect(queryAt('@ada later', 4)).toEqual({ sign: '@', typed: 'ada', start: 0 })
    expect(queryAt('@ada\nx', 6)).toBeUndefined()
    expect(queryAt('/dep', 4)).toEqual({ sign: '/', typed: 'dep', start: 0 })
    expect(queryAt('see /dep', 8)).toBeUndefined()
    expect(queryAt('/deploy prod', 12)).toBeUndefined()
  })

  test('finds names by their beginning, then by a word, near ones first', () => {
    const names = ['Inês Duarte', 'Otto Ines', 'Ingrid', 'Zoe'].map((name) => ({ name }))
    expect(findNames(names, 'in', 9).map(({ name }) => name)).toEqual(['Inês Duarte', 'Ingrid', 'Otto Ines'])
    expect(findNames(names, 'ines', 9)[0]?.name).toBe('Inês Duarte')
    expect(findNames(names, '', 2, ({ name }) => name === 'Zoe')[0]?.name).toBe('Zoe')
  })

  test('finds emoji by code, name and tag', () => {
    const all = emojiOf(
      [
        { hexcode: '1F44D', label: 'thumbs up', unicode: '👍\ufe0f', group: 1, tags: ['yes'] },
        { hexcode: '1F604', label: 'grinning face', unicode: '😄', group: 0 },
        { hexcode: '1F1E6', label: 'regional indicator A', unicode: '🇦' },
      ],
      { '1F44D': ['+1', 'thumbsup'], '1F604': 'smile' },
    )
    expect(all.map(({ emoji }) => emoji)).toEqual(['👍', '😄'])
    const found = (typed: string) => findEmoji(all, typed, 9).map(({ emoji }) => emoji)
    expect([found('+1'), found('thumbsup'), found('yes'), found('smi'), found('face'), found('xyz')]).toEqual(
      [['👍'], ['👍'], ['👍'], ['😄'], ['😄'], []],
    )
  })
})

describe('shortcuts', () => {
  const apply = ({ text }: Selection, { from, to, insert, start, end }: Replacement) => {
    const next = text.slice(0, from) + insert + text.slice(to)
    return [next, next.slice(start, end)]
  }
  const select = (text: string, part: string): Selection => {
    const start = text.indexOf(part)
    return { text, start, end: start + part.length }
  }

  test('marks go around what is selected, and away again', () => {
    const plain = select('a bold word', 'bold')
    expect(apply(plain, toggleMark(plain, '**'))).toEqual(['a **bold** word', 'bold'])
    const marked = select('a **bold** word', 'bold')
    expect(apply(marked, toggleMark(marked, '**'))).toEqual(['a bold word', 'bold'])
    const whole = select('a **bold** word', '**bold**')
    expect(apply(whole, toggleMark(whole, '**'))).toEqual(['a bold word', 'bold'])
    const empty = { text: '', start: 0, end: 0 }
    expect(toggleMark(empty, '_')).toMatchObject({ insert: '__', start: 1, end: 1 })
  })

  test('code of several lines gets fences', () => {
    const lines = select('x\na\nb', 'a\nb')
    expect(apply(lines, toggleCode(lines))).toEqual(['x\n```\na\nb\n```', 'a\nb'])
  })

  test('links take words or an address', () => {
    const words = select('see docs', 'docs')
    expect(apply(words, makeLink(words))).toEqual(['see [docs](https://)', 'https://'])
    const address = select('see https://x.example', 'https://x.example')
    expect(apply(address, makeLink(address))).toEqual(['see [](https://x.example)', ''])
  })

  test('lines become a list, and lines again', () => {
    const lines = select('x\na\nb', 'a\nb')
    expect(apply(lines, toggleList(lines))[0]).toBe('x\n- a\n- b')
    const list = select('x\n- a\n- b', '- a\n- b')
    expect(apply(list, toggleList(list))[0]).toBe('x\na\nb')
  })

  test('a new line goes on with a list, and ends it at an empty point', () => {
    const entered = (text: string, at = text.length) => {
      const selection = { text, start: at, end: at }
      const change = continueList(selection)
      return change && apply(selection, change)[0]
    }
    expect(entered('- one')).toBe('- one\n- ')
    expect(entered('x\n  * one')).toBe('x\n  * one\n  * ')
    expect(entered('9. nine')).toBe('9. nine\n10. ')
    expect(entered('1) one two', 6)).toBe('1) one\n2)  two')
    expect(entered('- one\n- ')).toBe('- one\n')
    expect(entered('- one\n\n- \nmore', 9)).toBe('- one\n\n\nmore')
    for (const text of ['one', '-one', '1.one', '']) expect(entered(text), text).toBeUndefined()
    expect(entered('- one', 1), 'within the sign').toBeUndefined()
    expect(continueList({ text: '- one', start: 2, end: 5 }), 'over a selection').toBeUndefined()
  })

  test('an address that is pasted over words makes a link of them', () => {
    const over = (text: string, selected: string, pasted: string) => {
      const selection = select(text, selected)
      const change = linkOver(selection, pasted)
      return change && apply(selection, change)[0]
    }
    expect(over('see the plan', 'the plan', ' https://x.test/a ')).toBe('see [the plan](https://x.test/a)')
    expect(over('plan', 'plan', 'https://x.test/a_(b)')).toBe('[plan](https://x.test/a_%28b%29)')
    for (const [selected, pasted] of [
      ['plan', 'not an address'],
      ['plan', 'https://x.test/ and more'],
      ['plan', 'javascript:alert(1)'],
      ['[plan]', 'https://x.test/'],
      ['https://y.test/', 'https://x.test/'],
    ] as const)
      expect(over(selected, selected, pasted), `${selected} ${pasted}`).toBeUndefined()
    expect(linkOver({ text: 'plan', start: 2, end: 2 }, 'https://x.test/')).toBeUndefined()
  })
})
