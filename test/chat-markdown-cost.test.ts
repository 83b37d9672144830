import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { LIMITS } from '../contract/limits.ts'
import { MAX_NODES, parseMarkdown } from '../contract/markdown/parse.ts'
import type { Block, Inline } from '../contract/markdown/tree.ts'
import { plainLine, withoutMarkdownSigns } from '../contract/plain-text.ts'
import { FRAGMENTS, hostileCsv, hostileMarkdown } from '../fuzz/hostile-content.ts'
import { Random } from '../fuzz/random.ts'
import { escaped, quoted } from '../server/incoming-webhooks/markdown.ts'
import { fromMrkdwn } from '../server/incoming-webhooks/slack-mrkdwn.ts'
import { blockedWordsOf, hasBlockedWord } from '../server/limits/blocked-words.ts'
import { linkIn } from '../server/link-in-text.ts'
import { wordsOf } from '../server/search/words.ts'
import { readDelimited } from '../web/src/chat/views/conversation/files/delimited.ts'
import { firstParts, MAX_PARTS } from '../web/src/chat/views/conversation/markdown/code-parts.ts'
import { cpuMilliseconds } from './support/cpu-time.ts'
import { countOf } from './support/thorough.ts'

/** CPU time that any message text may cost. */
const LIMIT_MS = 50
const SEED = 20_261_118

type Node = Block | Inline
const within = (node: Node): Node[] => {
  if ('children' in node) return node.children
  if ('blocks' in node) return node.blocks
  if (node.kind === 'list') return node.items.flat()
  if (node.kind === 'table') return [...node.head.flat(), ...node.rows.flat(2)]
  return []
}
/** Elements that are drawn: nodes, cells of tables, and pictures of emoji. */
const drawn = (nodes: readonly Node[]): number =>
  nodes.reduce((count, node) => {
    const cells = node.kind === 'table' ? node.align.length * (node.rows.length + 1) : 0
    const pictures = node.kind === 'text' ? (node.text.match(/:[\w+-]+:/g)?.length ?? 0) : 0
    return count + 1 + cells + pictures + drawn(within(node))
  }, 0)

const repeated = (part: string): string =>
  Array.from(part.repeat(Math.ceil(LIMITS.messageText / part.length)))
    .slice(0, LIMITS.messageText)
    .join('')
const bySeed = (make: (random: Random) => string) => fc.nat().map((seed) => make(new Random(seed)))
/** A few fragments again and again, alone and behind others: what costs most for its length is of this form. */
const repetitions = fc
  .tuple(
    fc.array(fc.constantFrom(...FRAGMENTS), { maxLength: 2 }),
    fc.array(fc.constantFrom(...FRAGMENTS), { minLength: 1, maxLength: 4 }),
  )
  .map(([before, parts]) => (before.join('') + repeated(parts.join(''))).slice(0, LIMITS.messageText))
const messages = fc.oneof(
  repetitions,
  bySeed((random) => hostileMarkdown(random, LIMITS.messageText)),
)

/** Texts that have been costly before. */
const KNOWN: Record<string, string> = {
  ...Object.fromEntries(FRAGMENTS.map((part) => [JSON.stringify(part), repeated(part)])),
  'brackets that close': '['.repeat(5000) + ']'.repeat(5000),
  'stars that close': `${'*'.repeat(5000)}a${'*'.repeat(5000)}`,
  'lists by indentation': Array.from({ length: 140 }, (_, depth) => `${' '.repeat(2 * depth)}- a`).join('\n'),
  'ticks of every length': Array.from({ length: 140 }, (_, length) => '`'.repeat(length)).join(' '),
  'an address without end': `${repeated('a.').slice(1)}@`,
  'a name without end': `${'x'.repeat(9999)}@`,
  'spaces without end': `a${' '.repeat(9998)}b`,
  'a wide table': `${'|'.repeat(5000)}\n${'|-'.repeat(2500)}`,
  'a long table': `|a|b|\n|-|-|\n${'|x|y|\n'.repeat(1600)}`,
  'three million empty cells': `${'|'.repeat(1700)}\n${'|-'.repeat(1699)}|\n${'|\n'.repeat(2450)}`,
  'two-unit characters': '𝕏'.repeat(10_000),
  'emphasis in emphasis': `${'*a **b '.repeat(700)}${'** *'.repeat(700)}`,
  'openers, and closers of another length': `${'*a '.repeat(1600)}${' b**'.repeat(1200)}`,
  'punctuation after an address': `https://a.example/${'.'.repeat(9000)}a`,
}

const check = (text: string): void => {
  const { blocks } = parseMarkdown(text)
  expect(drawn(blocks)).toBeLessThanOrEqual(2 * MAX_NODES)
  // Nothing is lost: text without a form is drawn plain.
  if (blocks[0]?.kind === 'plain')
    expect(blocks[0].text).toBe(text.replaceAll('\r\n', '\n').replace(/[\u202d\u202e]/g, '\ufffd'))
  expect(cpuMilliseconds(LIMIT_MS, () => parseMarkdown(text))).toBeLessThan(LIMIT_MS)
}

describe('any message', () => {
  test.each(Object.entries(KNOWN))('is drawn at the cost of others: %s', (_name, text) => check(text))

  test('is drawn at the cost of others, whatever it is made of', () => {
    fc.assert(fc.property(messages, check), { seed: SEED, numRuns: countOf(100, 400) })
  })

  test('is shown plain where it has too many parts, or is too deep', () => {
    const isPlain = (text: string) => parseMarkdown(text).blocks[0]?.kind === 'plain'
    for (const text of [
      '> '.repeat(5000),
      KNOWN['stars that close'],
      KNOWN['a long table'],
      KNOWN['three million empty cells'],
    ])
      expect(isPlain(text ?? '')).toBe(true)
    for (const text of [
      `${'> '.repeat(8)}a`,
      `|a|b|\n|-|-|\n${'|x|y|\n'.repeat(400)}`,
      '*a* _b_ '.repeat(200),
    ])
      expect(isPlain(text)).toBe(false)
  })

  test('is read by the server in as little time', () => {
    const blocked = blockedWordsOf(['grog', 'bilge rat'])
    const readers: Record<string, (text: string) => unknown> = {
      linkIn: (text) => linkIn(`https://a.example ${text} https://a.example/${text}`),
      fromMrkdwn,
      escaped,
      quoted: (text) => quoted(text),
      wordsOf,
      withoutMarkdownSigns,
      plainLine: (text) => plainLine(text, text.length, () => undefined),
      hasBlockedWord: (text) => hasBlockedWord(blocked, text),
    }
    for (const [name, read] of Object.entries(readers)) {
      const examples = Object.values(KNOWN).map((text): [string] => [text])
      fc.assert(
        fc.property(messages, (text) => {
          expect(
            cpuMilliseconds(LIMIT_MS, () => read(text)),
            name,
          ).toBeLessThan(LIMIT_MS)
        }),
        { seed: SEED, numRuns: countOf(25, 100) + examples.length, examples },
      )
    }
  })
})

describe('a file', () => {
  test('with a table is read and cut at the cost of others', () => {
    fc.assert(
      fc.property(bySeed(hostileCsv), (text) => {
        const table = readDelimited(text, false)
        expect((table?.head.length ?? 0) * ((table?.rows.length ?? 0) + 1)).toBeLessThanOrEqual(3100)
        expect(cpuMilliseconds(LIMIT_MS, () => readDelimited(text, false))).toBeLessThan(LIMIT_MS)
      }),
      { seed: SEED, numRuns: countOf(25, 100) },
    )
  })

  test('of code is drawn in a bounded number of parts, with every character', () => {
    const parts = Array.from({ length: 5000 }, (_, number) => ({ scope: 'number', text: `${number},` }))
    const drawnParts = firstParts(parts)
    expect(drawnParts.length).toBe(MAX_PARTS + 1)
    const textOf = (some: typeof drawnParts) => some.map(({ text }) => text).join('')
    expect(textOf(drawnParts)).toBe(textOf(parts))
    expect(firstParts(parts.slice(0, 10))).toEqual(parts.slice(0, 10))
  })
})
