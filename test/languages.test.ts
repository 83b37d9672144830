import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isLanguage, LANGUAGE_NAMES, type Language, plural } from '../web/src/texts/texts.ts'
import { SAME_IN_ENGLISH } from './support/same-in-english.ts'

const FOLDER = join(import.meta.dirname, '../web/src/texts')

/** A text of each language at one place: `file: name.name`. */
type Row = { at: string; values: Map<Language, unknown> }

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

function rowsOf(at: string, values: Map<Language, unknown>): Row[] {
  const english = values.get('en')
  if (!isRecord(english)) return [{ at, values }]
  const names = new Set([...values.values()].flatMap((value) => Object.keys(Object(value))))
  return [...names].flatMap((name) =>
    rowsOf(`${at}.${name}`, new Map([...values].map(([language, value]) => [language, Object(value)[name]]))),
  )
}

const rows: Row[] = []
for (const file of readdirSync(FOLDER)) {
  const module: Record<string, unknown> = await import(join(FOLDER, file))
  for (const [name, exported] of Object.entries(module)) {
    if (!isRecord(exported) || exported === plural || !isRecord(exported.en)) continue
    const values = Object.entries(exported).flatMap(([language, value]): [Language, unknown][] =>
      isLanguage(language) ? [[language, value]] : [],
    )
    rows.push(...rowsOf(`${file}: ${name}`, new Map(values)))
  }
}

const others = LANGUAGE_NAMES.map(([language]) => language).filter((language) => language !== 'en')

/** A text as shown: itself, or the result of its function for these arguments. */
function said(value: unknown, argument: (index: number) => unknown): string {
  if (typeof value !== 'function') return String(value)
  const about = Array.from({ length: value.length }, (_, index) => argument(index))
  return String(Reflect.apply(value, undefined, about))
}
const mark = (index: number): string => `⟦${index}⟧`
/** Gaps that are filled: arguments of a function, and names such as `{who}`. */
const gapsIn = (text: string): string[] =>
  [...new Set(text.match(/⟦\d⟧|(?<!\{)\{\w+\}(?!\})/g) ?? [])].toSorted()

describe.each(others)('the texts in %s', (language) => {
  it('are there wherever there is an English one', () => {
    expect(rows.length).toBeGreaterThan(2000)
    const missing = rows.filter(({ values }) => typeof values.get(language) !== typeof values.get('en'))
    expect(missing.map(({ at }) => at)).toEqual([])
  })

  it('fill the same gaps', () => {
    const different = rows.filter(({ values }) => {
      const [one, other] = (['en', language] as const).map((each) => gapsIn(said(values.get(each), mark)))
      return one?.join() !== other?.join()
    })
    expect(different.map(({ at }) => at)).toEqual([])
  })

  it.each([0, 2, 5, 1_000_000])('give the number where the English one does (%d)', (count) => {
    const without = rows.filter(({ values }) => {
      const [one = '', other = ''] = (['en', language] as const).map((each) =>
        said(values.get(each), () => count),
      )
      // French says 0 in the form of 1, which some texts have without a number. They are not asked with none.
      const hasNumber = count > 0 || said(values.get('en'), () => 1).includes('1')
      return (
        typeof values.get('en') === 'function' &&
        hasNumber &&
        one.includes(`${count}`) &&
        !other.includes(`${count}`)
      )
    })
    expect(without.map(({ at }) => at)).toEqual([])
  })

  it('are not left in English', () => {
    const left = rows.flatMap(({ at, values }) => {
      const [one = '', other] = (['en', language] as const).map((each) => said(values.get(each), mark))
      return one === other && /\p{L}{2}/u.test(one) && !SAME_IN_ENGLISH[language].has(one)
        ? [`${at} = ${one}`]
        : []
    })
    expect(left).toEqual([])
  })
})

/** Rules of writing that hold for every text of a language. */
const WRITING: Partial<Record<Language, [rule: string, broken: RegExp][]>> = {
  fr: [
    ['a narrow space stands before ? and !', /[^\u202f][?!](?!\w)/u],
    ['quotation marks are « and », with narrow spaces', /[“”„]|«[^\u202f]|[^\u202f]»/u],
    ['readers are addressed as vous', /(?<![\p{L}-])(?:tu|toi|ton|tes)(?!\p{L})/iu],
  ],
  es: [
    ['questions and exclamations are opened', /^[^¿]*\?(?!\w)|^[^¡]*!/u],
    ['quotation marks are « and »', /[“”„]/u],
    ['readers are addressed as tú', /(?<!\p{L})(?:usted|ustedes|vosotros|vuestr[ao]s?)(?!\p{L})/iu],
  ],
}

describe.each(
  Object.entries(WRITING).flatMap(([language, rules]) =>
    rules.map(([rule, broken]) => ({ language, rule, broken })),
  ),
)('in $language, $rule', ({ language, broken }) => {
  it('everywhere', () => {
    const found = rows.flatMap(({ at, values }) => {
      const text = said(isLanguage(language) ? values.get(language) : '', mark)
      return broken.test(text) ? [`${at} = ${text}`] : []
    })
    expect(found).toEqual([])
  })
})

it('takes plural forms from the rules of each language', () => {
  const forms = { one: 'one', other: 'other' }
  expect([0, 1, 2].map((count) => plural.en(count, forms))).toEqual(['other', 'one', 'other'])
  expect([0, 1, 2].map((count) => plural.fr(count, forms))).toEqual(['one', 'one', 'other'])
  expect([0, 1, 2].map((count) => plural.es(count, forms))).toEqual(['other', 'one', 'other'])
  expect(plural.fr(1_000_000, { ...forms, many: 'many' })).toBe('many')
  expect(plural.es(1_000_000, { ...forms, many: 'many' })).toBe('many')
})
