import type { Operation, Parameter } from './document.ts'
import { hostileText } from './hostile.ts'
import type { Known } from './pool.ts'
import type { Random } from './random.ts'
import { type Source, validValue } from './values.ts'

const QUERY_SHARE = 0.35

/** Path and query of a request, one of them spoiled, and the ids that it asks for. */
export function targetOf(
  operation: Operation,
  source: Source,
  spoils: 'path' | 'query' | undefined,
): { target: string; asked: Known } {
  const { random } = source
  const asked: Known = {}
  const names = operation.parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name)
  const spoiled = spoils === 'path' ? random.maybePick(names) : undefined
  const path = operation.path.replace(/\{(\w+)\}/g, (_match, name: string) => {
    const schema = operation.parameters.find((parameter) => parameter.name === name)?.schema ?? {}
    const value = String(validValue(schema, name, source))
    if (name !== spoiled) {
      asked[name] = value
      return encodeURIComponent(value)
    }
    return hostileSegment(value, random)
  })
  return { target: path + queryOf(operation, source, spoils === 'query'), asked }
}

function hostileSegment(value: string, random: Random): string {
  const spellings: (() => string)[] = [
    () => encode(hostileText(random)),
    () => encode(value.toUpperCase()),
    () => encode(value.slice(0, -1)),
    () => encode(`${value}\0`),
    () => encode(`${value}\n`),
    () => `${encode(value)}%`,
    () => `${encode(value)}%zz`,
    () => '%c3%28',
    () => '..%2f..',
    () => '%2e%2e',
    () => '',
    () => 'x'.repeat(5000),
    () => random.uuid(),
    () => `${encode(value)};a=b`,
    () => [...value].map((letter) => `%${letter.charCodeAt(0).toString(16).padStart(2, '0')}`).join(''),
  ]
  return random.pick(spellings)()
}

function queryOf(operation: Operation, source: Source, isHostile: boolean): string {
  const { random } = source
  const parameters = operation.parameters.filter((parameter) => parameter.in === 'query')
  const pairs = parameters
    .filter(({ required }) => required || random.chance(QUERY_SHARE))
    .map(({ name, schema }) => `${name}=${encode(String(validValue(schema, name, source)))}`)
  if (isHostile) pairs.push(hostilePair(parameters, random))
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}

function hostilePair(parameters: readonly Parameter[], random: Random): string {
  const name = random.maybePick(parameters)?.name ?? 'limit'
  const spellings: (() => string)[] = [
    () => `${name}=${encode(hostileText(random))}`,
    () => `${name}=${encode(hostileText(random))}`,
    () =>
      `${name}=${random.pick(['0', '1', '100', '101', '-1', '1.0', '1e1', '+1', ' 1', '0x1', '9'.repeat(30)])}`,
    () => `${name}=1&${name}=2`,
    () => `${name}[]=1`,
    () => `${name}[a]=1`,
    () => `${name}`,
    () => `${name}=%`,
    () => `${name}=%00`,
    () => `${name}=%ff%fe`,
    () => `__proto__=1&constructor=2&toString=3`,
    () => `before=1&after=1&cursor=x&offset=0`,
    () => '&&&=&?',
    () => 'x'.repeat(4000),
  ]
  return random.pick(spellings)()
}

/** Unpaired surrogates have no encoding. */
const encode = (text: string): string => encodeURIComponent(text.toWellFormed())
