import { describe, expect, test } from 'vitest'
import { excerptOf } from '../web/src/chat/views/conversation/markdown/excerpt.ts'
import { chatLinkOf } from '../web/src/chat/views/conversation/markdown/links.ts'
import { MAX_NODES, markdownOf, parseMarkdown } from '../web/src/chat/views/conversation/markdown/parse.ts'
import type { Block, Inline } from '../web/src/chat/views/conversation/markdown/tree.ts'

const ADA = '3f2b8a6e-1c4d-4e5f-9a0b-7c6d5e4f3a2b'
const BOT = 'b@0d5c3f4e-6a1b-4c2d-8e9f-102030405060'

type Node = Block | Inline
const within = (node: Node): Node[] => {
  if ('children' in node) return node.children
  if ('blocks' in node) return node.blocks
  if (node.kind === 'list') return node.items.flat()
  if (node.kind === 'table') return [...node.head.flat(), ...node.rows.flat(2)]
  return []
}
const walk = (nodes: readonly Node[]): Node[] => nodes.flatMap((node) => [node, ...walk(within(node))])
const nodesOf = (text: string): Node[] => walk(parseMarkdown(text).blocks)
/** The text that a reader sees, without its form. */
const seen = (text: string): string =>
  nodesOf(text)
    .map((node) => ('text' in node ? node.text : node.kind === 'break' ? '\n' : ''))
    .join('')
const linksOf = (text: string): string[] =>
  nodesOf(text).flatMap((node) => (node.kind === 'link' ? [node.href] : []))
const kindsOf = (text: string): string[] => nodesOf(text).map(({ kind }) => kind)

describe('what people write', () => {
  test('keeps line breaks, emphasis, strikes and code', () => {
    expect(parseMarkdown('one **two** _three_\n~~four~~ `five`').blocks).toEqual([
      {
        kind: 'paragraph',
        children: [
          { kind: 'text', text: 'one ' },
          { kind: 'strong', children: [{ kind: 'text', text: 'two' }] },
          { kind: 'text', text: ' ' },
          { kind: 'emphasis', children: [{ kind: 'text', text: 'three' }] },
          { kind: 'break' },
          { kind: 'strike', children: [{ kind: 'text', text: 'four' }] },
          { kind: 'text', text: ' ' },
          { kind: 'code', text: 'five' },
        ],
      },
    ])
  })

  test('has lists, numbers that begin anywhere, boxes, quotes, tables, titles and rules', () => {
    expect(parseMarkdown('- a\n- b').blocks).toMatchObject([{ kind: 'list', start: undefined }])
    expect(parseMarkdown('7. a\n8. b').blocks).toMatchObject([{ kind: 'list', start: 7 }])
    expect(kindsOf('- [x] done')).toEqual(['list', 'paragraph', 'checkbox', 'text'])
    expect(kindsOf('> a\n> > b')).toEqual(['quote', 'paragraph', 'text', 'quote', 'paragraph', 'text'])
    expect(parseMarkdown('|a|b|\n|-|-:|\n|1|2|').blocks).toMatchObject([
      { kind: 'table', align: [null, 'right'], head: [[{ text: 'a' }], [{ text: 'b' }]] },
    ])
    expect(kindsOf('# Title\n\n---')).toEqual(['heading', 'text', 'rule'])
  })

  test('names the language of code, and nothing else of the fence', () => {
    expect(parseMarkdown('```TS "><script>\nlet a\n```').blocks).toEqual([
      { kind: 'code', text: 'let a', language: 'ts' },
    ])
  })

  test('finds mentions of people and bots, but not in code', () => {
    expect(nodesOf(`<@${ADA}> and <@${BOT}>`).filter(({ kind }) => kind === 'mention')).toEqual([
      { kind: 'mention', id: ADA },
      { kind: 'mention', id: BOT },
    ])
    expect(kindsOf(`\`<@${ADA}>\``)).toEqual(['paragraph', 'code'])
    expect(kindsOf('<@everyone> <@>')).toEqual(['paragraph', 'text'])
  })

  test('links addresses of the web and of mail', () => {
    expect(linksOf('see https://example.com/a?b=1 or www.example.com or ada@example.com')).toEqual([
      'https://example.com/a?b=1',
      'http://www.example.com/',
      'mailto:ada@example.com',
    ])
    expect(linksOf('[docs](https://example.com)')).toEqual(['https://example.com/'])
  })

  test('shows a few emoji alone larger', () => {
    for (const text of ['👍🏽 👩‍🚀', '1️⃣', '#️⃣\n*️⃣', '©️ ☎️', '🏴󠁧󠁢󠁥󠁮󠁧󠁿'])
      expect([text, parseMarkdown(text).isEmojiOnly]).toEqual([text, true])
    expect(parseMarkdown('привет').isEmojiOnly).toBe(false)
    expect(parseMarkdown('👍 ok').isEmojiOnly).toBe(false)
    expect(parseMarkdown('1').isEmojiOnly).toBe(false)
    expect(parseMarkdown('👍'.repeat(13)).isEmojiOnly).toBe(false)
  })

  test('makes the tree of a message once for each version', () => {
    const message = { id: 'm', updatedAt: 1, text: '*a*' }
    expect(markdownOf(message)).toBe(markdownOf({ ...message }))
    expect(markdownOf({ ...message, updatedAt: 2, text: 'b' })).not.toBe(markdownOf(message))
  })

  test('knows links to its own topics and messages, on its own server alone', () => {
    const origin = 'https://chat.example.com'
    expect(chatLinkOf(`${origin}/t/${ADA}`, origin)).toEqual({ topicId: ADA })
    expect(chatLinkOf(`${origin}/m/${ADA}`, origin)).toEqual({ messageId: ADA })
    expect(chatLinkOf(`${origin}.evil.example/t/${ADA}`, origin)).toBeUndefined()
    expect(chatLinkOf(`${origin}/t/${ADA}/../../sign-out`, origin)).toBeUndefined()
  })

  test('fits into one line without its form', () => {
    const nameOf = (id: string) => (id === ADA ? 'Ada' : undefined)
    expect(excerptOf(`# Hi <@${ADA}>\n> **see** [docs](https://x.example)`, nameOf)).toBe('Hi @Ada see docs')
    expect(excerptOf('x'.repeat(10_000), nameOf)).toHaveLength(400)
  })
})

describe('HTML is text', () => {
  test.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '<svg/onload=alert(1)>',
    '<a href="javascript:alert(1)">x</a>',
    '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
    '<!-- <b> --> <?php ?> <![CDATA[x]]>',
    '<style>*{display:none}</style>',
    '<div>\n\n<p>x</p></div>',
    '<details open ontoggle=alert(1)>',
    '</div></main><h1>owned',
  ])('%s', (text) => {
    expect(new Set(kindsOf(text))).toEqual(new Set(['paragraph', 'text']))
    expect(seen(text)).toBe(text.replace('\n\n', ''))
  })
})

describe('links that lead elsewhere than they may stay text', () => {
  test.each([
    '[x](javascript:alert(1))',
    '[x](JaVaScRiPt:alert(1))',
    '[x](java\u0000script:alert(1))',
    '[x](&#106;avascript:alert(1))',
    '[x](data:text/html;base64,PHNjcmlwdD4=)',
    '[x](vbscript:msgbox(1))',
    '[x](file:///etc/passwd)',
    '[x](blob:https://example.com/1)',
    '[x](//evil.example)',
    '[x](/people/session)',
    '[x](https://bank.example@evil.example/)',
    '<javascript:alert(1)>',
    '<data:text/html,x>',
    'ftp://example.com/x',
    'https://bank.example@evil.example/',
    'xmpp:a@example.com',
    '![x](javascript:alert(1))',
    '![x](data:image/svg+xml,<svg/>)',
    `[x](https://example.com/${'a'.repeat(3000)})`,
    '[x]: javascript:alert(1)\n\n[x]',
  ])('%s', (text) => {
    expect(linksOf(text).filter((href) => href !== 'mailto:a@example.com')).toEqual([])
    expect(kindsOf(text)).not.toContain('image')
  })

  test('a definition neither hides its line nor gives others an address', () => {
    expect(seen('[x]: https://evil.example\n\n[x]')).toBe('[x]: https://evil.example[x]')
  })

  test('a label that claims another address gives way to the true one', () => {
    expect(seen('[https://bank.example](https://evil.example/a)')).toBe('https://evil.example/a')
    expect(seen('[www.bank.example](https://evil.example/a)')).toBe('https://evil.example/a')
    expect(seen('[https://bank.example/a](https://bank.example/b)')).toBe('https://bank.example/a')
  })

  test('hosts in other scripts show as what they are', () => {
    expect(linksOf('[x](https://exаmple.com)')).toEqual(['https://xn--exmple-4nf.com/'])
  })

  test('pictures are links: nothing is loaded from elsewhere', () => {
    expect(linksOf('![a cat](https://evil.example/pixel.gif)')).toEqual(['https://evil.example/pixel.gif'])
    expect(seen('![a cat](https://evil.example/pixel.gif)')).toBe('a cat')
    expect(seen('![](https://evil.example/pixel.gif)')).toBe('https://evil.example/pixel.gif')
  })
})

describe('hidden characters', () => {
  test('overrides of the direction become visible', () => {
    expect(seen('invoice\u202egpj.exe')).toBe('invoice\ufffdgpj.exe')
    expect(parseMarkdown('```\na\u202db\n```').blocks).toMatchObject([{ text: 'a\ufffdb' }])
  })

  test('joiners stay: emoji and scripts need them', () => {
    expect(seen('می\u200cخواهم 👩\u200d🚀')).toBe('می\u200cخواهم 👩\u200d🚀')
  })
})

/** Texts that cost a parser most for their length. */
const repeated = (part: string): string => part.repeat(Math.ceil(10_000 / part.length))
const BOMBS: Record<string, string> = {
  ...Object.fromEntries(
    [
      [
        '>',
        '> ',
        '- ',
        '1. ',
        '> - ',
        '[',
        '![',
        '[a](',
        '[a](<',
        '[a](b "',
        '(a',
        '*a ',
        '*_',
        '**a',
        '_a*b',
        'a_',
      ],
      [
        '~~a',
        '`a',
        '`',
        '<',
        '<a ',
        '&#',
        '\\',
        '#',
        '# ',
        '\n',
        '\t',
        ' ',
        'x',
        'http://',
        'www.',
        'a@a.',
        '|',
      ],
      ['a\n-', '```\n', '> a\n', '>\n', '- a\n\n', '|a|b|\n', '<@', '\u202e', '👩‍🚀', 'ا'],
    ]
      .flat()
      .map((part) => [JSON.stringify(part), repeated(part)]),
  ),
  'brackets that close': '['.repeat(5000) + ']'.repeat(5000),
  'stars that close': `${'*'.repeat(5000)}a${'*'.repeat(5000)}`,
  'quotes of quotes': repeated('> > '),
  'lists by indentation': Array.from({ length: 140 }, (_, depth) => `${' '.repeat(2 * depth)}- a`).join('\n'),
  'ticks of every length': Array.from({ length: 140 }, (_, length) => '`'.repeat(length)).join(' '),
  'an address without end': `${repeated('a.')}@`,
  'a name without end': `${'x'.repeat(9999)}@`,
  'spaces without end': `a${' '.repeat(9998)}b`,
  'a wide table': `${'|'.repeat(5000)}\n${'|-'.repeat(2500)}`,
  'a long table': `|a|b|\n|-|-|\n${'|x|y|\n'.repeat(1600)}`,
  'two-unit characters': '𝕏'.repeat(10_000),
  'emphasis in emphasis': `${'*a **b '.repeat(700)}${'** *'.repeat(700)}`,
}

describe('texts that mean harm cost what others cost', () => {
  test.each(Object.entries(BOMBS))('%s', (_name, text) => {
    const { blocks } = parseMarkdown(text)
    const nodes = walk(blocks)
    expect(nodes.length).toBeLessThanOrEqual(MAX_NODES)
    // Nothing is lost: text without a form is drawn plain, as it was written.
    if (blocks[0]?.kind === 'plain') expect(blocks[0].text).toBe(text.replaceAll('\u202e', '\ufffd'))
  })

  test('what is too deep is shown plain', () => {
    expect(kindsOf('> '.repeat(5000))).toEqual(['plain'])
    expect(kindsOf(`${'> '.repeat(8)}a`)).not.toContain('plain')
    expect(kindsOf(`${'*'.repeat(5000)}a${'*'.repeat(5000)}`)).toEqual(['plain'])
  })

  test('what has too many parts is shown plain', () => {
    expect(kindsOf(`|a|b|\n|-|-|\n${'|x|y|\n'.repeat(1600)}`)).toEqual(['plain'])
    expect(kindsOf(`|a|b|\n|-|-|\n${'|x|y|\n'.repeat(100)}`)).not.toContain('plain')
  })

  test('what makes the lexer look at the same characters again and again is shown plain', () => {
    const costly = ['"a_"', '"*_"', '"_a*b"', '"["', 'an address without end', 'a name without end']
    for (const name of [...costly, 'spaces without end'])
      expect(kindsOf(BOMBS[name] ?? '')).toEqual(['plain'])
    expect(kindsOf('*a* _b_ '.repeat(140))).not.toContain('plain')
  })
})
