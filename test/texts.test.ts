import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, test } from 'vitest'
import { peoplePaths } from '../contract/openapi-people.ts'
import { PEOPLE_OPERATIONS } from '../contract/people/index.ts'
import { REFUSAL_CODES, REFUSALS, type RefusalCode, type RefusalKey } from '../contract/refusals/index.ts'
import '../web/src/texts/account-errors.ts'
import '../web/src/texts/audit-delivery.ts'
import '../web/src/texts/console-errors.ts'
import '../web/src/texts/emoji.ts'
import '../web/src/texts/erasure.ts'
import '../web/src/texts/forward.ts'
import '../web/src/texts/identity.ts'
import '../web/src/texts/late-errors.ts'
import '../web/src/texts/later-errors.ts'
import '../web/src/texts/message-check.ts'
import '../web/src/texts/presence.ts'
import '../web/src/texts/readings.ts'
import '../web/src/texts/records.ts'
import '../web/src/texts/rehearsals.ts'
import '../web/src/texts/report.ts'
import '../web/src/texts/reports.ts'
import '../web/src/texts/settings.ts'
import { LANGUAGE_NAMES } from '../web/src/texts/texts.ts'
import { sentenceOf } from './support/sentences.ts'

/** Faults of a server, whose pages say the same of all of them. */
const isFault = (code: RefusalCode): boolean => REFUSALS[code][0] >= 500

/** Every code that an operation of the people's API lists. */
const listed = Object.values(peoplePaths()).flatMap((methods) =>
  Object.values(Object(methods)).flatMap((operation) =>
    Object.values(Object(operation).responses).flatMap(
      (response): RefusalCode[] => Object(response).headers?.['X-Error-Code']?.schema.enum ?? [],
    ),
  ),
)
const own = PEOPLE_OPERATIONS.flatMap(({ refusals = [] }): readonly RefusalKey[] => refusals)
const shown = [...new Set([...listed.filter((code) => !isFault(code)), ...own])]

test.each(shown)('%s is said in every language', (key) => {
  for (const [language] of LANGUAGE_NAMES)
    if (language !== 'en') expect(sentenceOf(key, language), language).not.toBe(sentenceOf(key, 'en'))
})

/** A refusal's text held against a literal. */
const COMPARISON =
  /\b(refusal|(error|failure|refused)\.(message|text)) ?(===|!==|\.startsWith|\.includes) ?\(?['`/][^'`/]/g

describe('pages', () => {
  const folder = join(import.meta.dirname, '../web/src')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.tsx?$/.test(name),
  )
  /** Texts of one word look like any other word. */
  const sentences = REFUSAL_CODES.map((code) => REFUSALS[code][1]).filter((text) => text.includes(' '))

  it('know refusals by their codes, and compare no sentence', () => {
    const found = files.flatMap((name) => {
      const source = readFileSync(join(folder, name), 'utf8')
      const quoted = sentences.filter((text) => source.includes(`'${text}'`))
      const compared = source.match(COMPARISON)
      return [...quoted, ...(compared ?? [])].map((what) => `${name}: ${what}`)
    })
    expect(found).toEqual([])
  })
})
