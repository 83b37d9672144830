import { describe, expect, test } from 'vitest'
import { parseMarkdown } from '../contract/markdown/parse.ts'
import type { Block, Inline } from '../contract/markdown/tree.ts'
import { chatLinkOf } from '../web/src/chat/views/conversation/markdown/chat-links.ts'
import { excerptOf } from '../web/src/chat/views/conversation/markdown/excerpt.ts'
import { markdownOf } from '../web/src/chat/views/conversation/markdown/markdown-of.ts'

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
/** The visible text, without its form. */
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
    expect(kindsOf('<@every one> <@>')).toEqual(['paragraph', 'text'])
    expect(nodesOf('<@everyone>').map(({ kind }) => kind)).toContain('group')
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

  test('pairs emphasis as people expect it', () => {
    const [strong, emphasis] = [
      ['paragraph', 'strong', 'text'],
      ['paragraph', 'emphasis', 'text'],
    ]
    expect(kindsOf('**a**')).toEqual(strong)
    expect(kindsOf('__a__')).toEqual(strong)
    expect(kindsOf('*a*')).toEqual(emphasis)
    expect(kindsOf('***a***')).toEqual(['paragraph', 'emphasis', 'strong', 'text'])
    expect(kindsOf('**a *b* c**')).toEqual(['paragraph', 'strong', 'text', 'emphasis', 'text', 'text'])
    expect(kindsOf('*a **b***')).toEqual(['paragraph', 'emphasis', 'text', 'strong', 'text'])
    expect(kindsOf('snake_case_name, 2*3*4, a * b * c')).toEqual([
      'paragraph',
      'text',
      'emphasis',
      'text',
      'text',
    ])
    expect(seen('**open, *not* closed')).toBe('**open, not closed')
    expect(seen('a*"b"*c **not** __x_y__')).toBe('a*"b"*c not x_y')
    expect(kindsOf('~a~ ~~b~~ ~~~c~~~')).toEqual([
      'paragraph',
      'strike',
      'text',
      'text',
      'strike',
      'text',
      'text',
    ])
    expect(seen('\\*a\\* \\a')).toBe('*a* \\a')
  })

  test('reads links with brackets, titles, angle brackets and emphasis in them', () => {
    expect(linksOf('[a](https://x.example/a_(b)) (https://x.example/c) <https://x.example/d>')).toEqual([
      'https://x.example/a_(b)',
      'https://x.example/c',
      'https://x.example/d',
    ])
    expect(linksOf('[a *b* `c`](https://x.example "A title")')).toEqual(['https://x.example/'])
    expect(kindsOf('[a *b*](https://x.example)')).toEqual(['paragraph', 'link', 'text', 'emphasis', 'text'])
    expect(kindsOf('[![a](https://x.example/p)](https://x.example)')).toEqual(['paragraph', 'link', 'text'])
    expect(seen('[not](a link) [nor this] (x)')).toBe('[not](a link) [nor this] (x)')
    expect(linksOf('[see https://x.example] **https://y.example** 看https://z.example/')).toEqual([
      'https://x.example/',
      'https://y.example/',
      'https://z.example/',
    ])
    expect(linksOf('mail a_b.c+d@x.example, not a@b')).toEqual(['mailto:a_b.c+d@x.example'])
  })

  test('nests lists, and lets a paragraph go on without its indentation', () => {
    expect(parseMarkdown('1. a\n   - b\n   - c\n2. d\ngoes on\n\nafter').blocks).toMatchObject([
      {
        kind: 'list',
        start: 1,
        items: [
          [{ kind: 'paragraph' }, { kind: 'list', items: [[{}], [{}]] }],
          [{ kind: 'paragraph', children: [{ text: 'd' }, { kind: 'break' }, { text: 'goes on' }] }],
        ],
      },
      { kind: 'paragraph', children: [{ text: 'after' }] },
    ])
    expect(kindsOf('- a\n\n  b\n- c')).toEqual([
      'list',
      'paragraph',
      'text',
      'paragraph',
      'text',
      'paragraph',
      'text',
    ])
    expect(parseMarkdown('> a\nb\n\nc').blocks).toMatchObject([{ kind: 'quote' }, { kind: 'paragraph' }])
    expect(kindsOf('> ```\n> a\nb')).toEqual(['quote', 'code', 'paragraph', 'text'])
    expect(kindsOf('It was\n1986. A year')).toEqual(['paragraph', 'text', 'break', 'text'])
    expect(kindsOf('- a\n* b\n---')).toEqual([
      'list',
      'paragraph',
      'text',
      'list',
      'paragraph',
      'text',
      'rule',
    ])
  })

  test('has code by fences and by indentation', () => {
    expect(parseMarkdown('a\n```\n**b**\n\n  c\n```\nd').blocks).toMatchObject([
      { kind: 'paragraph' },
      { kind: 'code', text: '**b**\n\n  c' },
      { kind: 'paragraph' },
    ])
    expect(parseMarkdown('~~~js\n```\nno end').blocks).toEqual([
      { kind: 'code', text: '```\nno end', language: 'js' },
    ])
    expect(parseMarkdown('    a\n\n      b\nc').blocks).toMatchObject([
      { kind: 'code', text: 'a\n\n  b' },
      { kind: 'paragraph' },
    ])
    expect(nodesOf('`` a`b `` `c').filter(({ kind }) => kind === 'code')).toEqual([
      { kind: 'code', text: 'a`b' },
    ])
  })

  test('fills rows of a table up to its head, and cuts what is beyond', () => {
    expect(parseMarkdown('text\n|a|b\\|c|\n|:-:|---|\n|1|\n1|2|3\n\nafter').blocks).toMatchObject([
      { kind: 'paragraph' },
      {
        kind: 'table',
        align: ['center', null],
        head: [[{ text: 'a' }], [{ text: 'b|c' }]],
        rows: [
          [[{ text: '1' }], []],
          [[{ text: '1' }], [{ text: '2' }]],
        ],
      },
      { kind: 'paragraph' },
    ])
    expect(kindsOf('a | b\n--- | --- | ---')).not.toContain('table')
  })

  test('makes the tree of a message once for each of its texts', () => {
    const message = { id: 'm', text: '*a*' }
    expect(markdownOf(message)).toBe(markdownOf({ ...message }))
    const masked = markdownOf({ ...message, text: 'b' })
    expect(masked).toEqual(parseMarkdown('b'))
    expect(markdownOf({ ...message, text: 'b' })).toBe(masked)
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

  describe('a label that claims another address gives way to the true one', () => {
    test.each([
      'https://bank.example',
      'www.bank.example',
      'bank.example',
      'bank.example/sign-in',
      'Go to https://bank.example now',
      '**https://bank.example**',
      'https://_bank_.example',
      'https://`bank.example`',
      'https://bank~~.example~~',
      'https:\\/\\/bank.example',
      '\\https\\://bank\\.example',
      '\u200bhttps://bank.example',
      'ht\u200dtps://ba\u00adnk.example',
      'https:\u2060//bank.example\u200e',
      '\u2066https://bank.example\u2069',
      '\u2068bank.example\u2069',
      'ｈｔｔｐｓ：／／bank.example',
      'https:⁄⁄bank.example',
      'bank。example',
      '![https://bank.example](https://pictures.example/a)',
      'https://bank.example https://evil.example',
      `${'\u200b'.repeat(5000)}https://bank.example`,
      'bank.example.',
      '(bank.example)',
      '“bank.example”',
      '→ bank.example',
      'bank.example 🔒',
      'Sign in at bank.example, please',
      'https:\\\\bank.example',
      'https:// bank.example',
      '192.168.1.1',
      '192.168.1.1:8080/setup',
      'bank.pl',
      'bank.pl/sign-in',
      'bank.zip',
    ])('[%s]', (label) => {
      expect(seen(`[${label}](https://evil.example/a)`)).toBe('https://evil.example/a')
    })

    test.each([
      ['https://bank.example/a', 'https://bank.example/b'],
      ['bank.example', 'https://www.bank.example/'],
      ['README.md', 'https://code.example/README.md'],
      ['the file main.rs', 'https://code.example/src/main.rs'],
      ['node.js', 'https://nodejs.example/'],
      ['the bank', 'https://bank.example/'],
      ['v1.2.3', 'https://code.example/'],
      ['report.pdf (2 pages)', 'https://files.example/download?id=1'],
    ])('[%s](%s) stays', (label, href) => {
      expect(seen(`[${label}](${href})`)).toBe(label)
    })
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
