import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { TOKEN_ERRORS } from '../contract/oauth.ts'
import { openApiDocument } from '../contract/openapi.ts'
import { REFUSAL_CODES, REFUSALS, type RefusalCode, statusOf } from '../contract/refusals/index.ts'
import { recognizeRefusal } from '../contract/refusals/recognize.ts'
import { ERROR_CODES } from '../sdk/schemas.ts'
import { sectionOf } from './support/guide.ts'
import { readPage, tableRows } from './support/pages.ts'

const PROMISED = join(import.meta.dirname, 'support/error-codes.txt')
const isDeclared = (code: string): code is RefusalCode => Object.hasOwn(REFUSALS, code)

describe('codes of refusals', () => {
  it('stay as they are: bots compare them. New ones are added to test/support/error-codes.txt', () => {
    const promised = readFileSync(PROMISED, 'utf8').trim().split('\n')
    expect(REFUSAL_CODES.map((code) => `${code} ${statusOf(code)}`).sort()).toEqual(promised)
  })

  it('are words in small letters, two of them at least unless HTTP has the word', () => {
    const odd = REFUSAL_CODES.filter((code) => !/^[a-z0-9]+(_[a-z0-9]+)+$/.test(code))
    expect(odd).toEqual(['unauthorized', 'forbidden'])
  })

  it('are one for each text and status', () => {
    const meanings = REFUSAL_CODES.map((code) => REFUSALS[code].slice(0, 2).join(' '))
    expect(new Set(meanings).size).toBe(meanings.length)
  })

  it('are found again by their texts, for answers that are kept as text', () => {
    const filled = (code: RefusalCode) =>
      REFUSALS[code][1].replace('{field}', 'name').replace(/\{\w+\}/g, 'a and b')
    const lost = REFUSAL_CODES.filter((code) => recognizeRefusal(filled(code), statusOf(code))?.code !== code)
    expect(lost).toEqual([])
    expect(recognizeRefusal('labelId is required', 400)).toEqual({ code: 'field_required', field: 'labelId' })
  })

  it('stand in the guide, with their statuses and texts', () => {
    const { text } = sectionOf(readPage('docs/errors-and-limits.md'), 'Codes')
    const declared = ERROR_CODES.filter(isDeclared).map((code) => {
      const [status, words, field = ''] = [...REFUSALS[code], undefined]
      return [`\`${code}\``, String(status), `\`${words}\``, field === '' ? '' : `\`${field}\``]
    })
    expect(tableRows(text)).toEqual(declared)
  })
})

const operations = Object.entries(openApiDocument('http://parley.test').paths).flatMap(([path, methods]) =>
  Object.entries(Object(methods)).map(([method, operation]): [string, object] => [
    `${method.toUpperCase()} ${path}`,
    Object(operation).responses,
  ]),
)

it.each(operations)('%s names the codes of each refusal', (_name, responses) => {
  const refused = Object.entries(responses).filter(([status]) => Number(status) >= 400)
  expect(refused.length).toBeGreaterThan(0)
  for (const [status, response] of refused) {
    const codes: string[] = Object(response).headers['X-Error-Code'].schema.enum
    expect(codes.length, status).toBeGreaterThan(0)
    expect(codes.filter((code) => !isDeclared(code) && !Object.hasOwn(TOKEN_ERRORS, code))).toEqual([])
  }
})
