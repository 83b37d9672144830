import { describe, expect, test } from 'vitest'
import { readDelimited } from '../web/src/chat/views/conversation/files/delimited.ts'

describe('tables in text', () => {
  const read = (text: string, isCut = false) => readDelimited(text, isCut)

  test.each([
    ['commas', 'a,b\n1,2\n'],
    ['semicolons', 'a;b\n1;2\n'],
    ['tabs', 'a\tb\n1\t2\n'],
    ['lines of Windows', 'a,b\r\n1,2\r\n'],
    ['no line break at the end', 'a,b\n1,2'],
    ['empty lines', '\na,b\n\n1,2\n\n'],
    ['quotes around everything', '"a","b"\r\n"1","2"\r\n'],
  ])('are read with %s', (_, text) => {
    expect(read(text)).toEqual({ head: ['a', 'b'], rows: [['1', '2']], isCut: false })
  })

  test('keep delimiters, line breaks and quotes of quoted values', () => {
    expect(read('name,text\n"b, c","one\ntwo ""three"""\n')?.rows).toEqual([['b, c', 'one\ntwo "three"']])
  })

  test('are separated by what the first line has most of outside of quotes', () => {
    expect(read('"a,b,c,d";e\n1;2\n')?.head).toEqual(['a,b,c,d', 'e'])
  })

  test('get empty values where a line is short', () => {
    expect(read('a,b,c\n1\n1,2,3,\n')).toMatchObject({
      head: ['a', 'b', 'c', ''],
      rows: [
        ['1', '', '', ''],
        ['1', '2', '3', ''],
      ],
    })
  })

  test('leave out a last line that may be there in part', () => {
    expect(read('a,b\n1,2\n3,', true)).toEqual({ head: ['a', 'b'], rows: [['1', '2']], isCut: true })
    expect(read('a,b\n1,2\n"3,4\n', true)?.rows).toEqual([['1', '2']])
  })

  test('are none without a second column', () => {
    for (const text of ['', '\n', 'One line\nAnother\n', '"a,b"\n']) expect(read(text)).toBeUndefined()
  })

  test('show what follows a closing quote, and a quote that is never closed', () => {
    expect(read('a,b\n"1"x,2\n')?.rows).toEqual([['1x', '2']])
    expect(read('a,b\n1,"2\n3,4\n')?.rows).toEqual([['1', '2\n3,4\n']])
  })

  test('are bounded in cells and columns, whatever the text', () => {
    expect(read(`${'x,'.repeat(30_000)}\n`)?.head).toHaveLength(100)
    const long = read('a,b\n'.repeat(16_000))
    expect(long?.rows).toHaveLength(1500)
    expect(long?.isCut).toBe(true)
    for (const bomb of [
      '"'.repeat(65_536),
      '",'.repeat(32_768),
      `${'"",'.repeat(20_000)}"`,
      '\r'.repeat(65_536),
    ])
      expect(() => read(bomb)).not.toThrow()
  })
})
