import { type AST, RegExpParser, visitRegExpAST } from '@eslint-community/regexpp'
import { analyse } from 'scslre'
import { cpuMilliseconds } from './cpu-time.ts'

/** Lengths of the texts that an expression is tried with, up to the longest message. Short ones first: an exponential one would not come back from the next. */
const TEXT_LENGTHS = [10, 15, 20, 25, 30, 35, 40, 45, 50, 60, 80, 120, 1000, 20_000]
/** A linear expression takes some 2 ms for the longest text, a quadratic one 100 and more. */
const LIMIT_MS = 40
/** A quarter of the longest text takes a linear expression a quarter of the time, a quadratic one a sixteenth. */
const SHORTER = 4
const QUADRATIC_RATIO = 8
const CANDIDATES = [
  ...Array.from({ length: 95 }, (_, index) => String.fromCharCode(126 - index)),
  ...[
    '\n',
    '\t',
    '\r',
    '\u2028',
    '\u00a0',
    '\u200b',
    'é',
    'ß',
    'ا',
    '中',
    '👍',
    '\ue000',
    '\ue001',
    '\u0000',
  ],
]
/** Texts after the repeated part, which make a match fail late, or go on. */
const ENDINGS = ['', '\n', '\u0000', '!', ' x']

const parser = new RegExpParser()

/** Says why an expression is not linear; undefined where nothing was found. First by its structure, then by texts made for it. */
export function faultOf(source: string, flags: string): string | undefined {
  const { reports } = analyse({ source, flags })
  const [report] = reports
  if (report) return `${report.type} of ${JSON.stringify(report.character.pick)}`
  const part = costlyPart(source, flags)
  return part === undefined ? undefined : `slow for ${JSON.stringify(part)} again and again`
}

function costlyPart(source: string, flags: string): string | undefined {
  const expression = new RegExp(source, flags.includes('g') ? flags : `${flags.replace('y', '')}g`)
  for (const part of partsOf(source, flags)) {
    for (const length of TEXT_LENGTHS) {
      const count = Math.ceil(length / part.length)
      for (const ending of ENDINGS) {
        const costOf = (parts: number, limitMs: number) => {
          const text = part.repeat(parts) + ending
          return cpuMilliseconds(limitMs, () => text.replace(expression, ''))
        }
        const cost = costOf(count, LIMIT_MS)
        if (cost < LIMIT_MS) continue
        // A slow machine takes that long for a bounded repetition, too: the growth tells them apart.
        if (length < 1000 || cost >= QUADRATIC_RATIO * costOf(Math.ceil(count / SHORTER), 1)) return part
      }
    }
  }
  return undefined
}

/** Texts that lead up to each repetition of an expression, alone and with what it repeats: again and again, they let it begin and fail often. */
function partsOf(source: string, flags: string): Set<string> {
  const parts = new Set<string>()
  const sampler = new Sampler(flags)
  visitRegExpAST(
    parser.parsePattern(source, 0, source.length, {
      unicode: flags.includes('u'),
      unicodeSets: flags.includes('v'),
    }),
    {
      onQuantifierEnter(quantifier) {
        if (quantifier.max < 10) return
        const before = sampler.before(quantifier)
        const repeated = sampler.of(quantifier.element)
        const choices = sampler.choices(quantifier.element)
        for (const part of [
          before,
          before + repeated,
          repeated,
          choices,
          `${before}${repeated}\n`,
          `${before} `,
        ])
          if (part !== '' && part.length < 200) parts.add(part)
      },
    },
  )
  return parts
}

/** Writes texts that parts of an expression match. */
class Sampler {
  readonly #flags: string

  constructor(flags: string) {
    this.#flags = flags.replace(/[gy]/g, '')
  }

  of(node: AST.Element | AST.Pattern): string {
    switch (node.type) {
      case 'Character':
        return String.fromCodePoint(node.value)
      case 'CharacterSet':
      case 'CharacterClass':
      case 'ExpressionCharacterClass':
        return this.#characterOf(node.raw)
      case 'Pattern':
      case 'Group':
      case 'CapturingGroup':
        return this.#sequence(node.alternatives[0]?.elements ?? [])
      case 'Quantifier':
        return this.of(node.element).repeat(Math.min(5, Math.max(node.min, 0)))
      default:
        return ''
    }
  }

  /** A text with every alternative of a group. */
  choices(node: AST.Element): string {
    if (node.type !== 'Group' && node.type !== 'CapturingGroup') return ''
    return node.alternatives.map(({ elements }) => this.#sequence(elements)).join('')
  }

  /** A text that matches everything before a part, in its alternative. */
  before(node: AST.Node): string {
    const { parent } = node
    if (!parent) return ''
    if (parent.type !== 'Alternative') return this.before(parent)
    const elements: AST.Node[] = parent.elements
    return this.before(parent) + this.#sequence(parent.elements.slice(0, elements.indexOf(node)))
  }

  #sequence(elements: readonly AST.Element[]): string {
    return elements.map((element) => this.of(element)).join('')
  }

  #characterOf(raw: string): string {
    const pattern = new RegExp(`^(?:${raw})$`, this.#flags)
    return CANDIDATES.find((candidate) => pattern.test(candidate)) ?? ''
  }
}
