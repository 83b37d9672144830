import type { Schema } from './document.ts'
import { isObject } from './pool.ts'
import type { Random } from './random.ts'

/** Texts known to break parsers, databases, logs or pages. */
export const HOSTILE_TEXTS: readonly string[] = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  'x\udc00y',
  '\ufeff',
  '\u202e',
  '\r\nX-Injected: 1',
  '\n\n',
  '\u0001\u001f\u007f\u0085\u2028',
  "' or 1=1 --",
  "'; drop table messages; --",
  '$1',
  '%s%s%n',
  '{{7*7}}',
  '$' + '{7*7}',
  '<script>alert(1)</script>',
  '<@b@00000000-0000-4000-8000-000000000000>',
  '<@not-an-id>',
  '<@',
  '../../../../etc/passwd',
  '..%2f..%2f',
  'file:///etc/passwd',
  'http://169.254.169.254/latest/meta-data/',
  'javascript:alert(1)',
  '__proto__',
  'constructor',
  'hasOwnProperty',
  'null',
  'undefined',
  'NaN',
  '-1',
  '0',
  '1e309',
  '007',
  '１２',
  'true',
  '[]',
  '{}',
  'İıſK',
  'e\u0301'.repeat(50),
  '👩‍👩‍👧‍👦'.repeat(20),
  'Z\u0351\u036b\u0343\u036a\u0302\u036b\u033d\u034f'.repeat(10),
  '00000000-0000-0000-0000-000000000000',
  'FFFFFFFF-FFFF-4FFF-8FFF-FFFFFFFFFFFF',
  'b@00000000-0000-4000-8000-000000000000',
  'b@',
  'a'.repeat(300),
]

/** Used rarely: a megabyte is read, hashed and parsed before it is refused. */
const HUGE_TEXT = 'ü'.repeat(40_000)

export const HOSTILE_NUMBERS: readonly number[] = [
  0,
  -0,
  -1,
  1,
  0.5,
  1e-320,
  1e21,
  1e300,
  2 ** 31 - 1,
  2 ** 31,
  2 ** 32,
  2 ** 53 - 1,
  2 ** 53,
  2 ** 63,
  -(2 ** 63),
  8_640_000_000_000_000,
  8_640_000_000_000_001,
  253_402_300_800_000,
]

const OTHER_TYPES: readonly unknown[] = [
  null,
  true,
  false,
  0,
  '',
  'text',
  [],
  {},
  [[]],
  [null],
  { toString: null },
]

export const hostileText = (random: Random): string =>
  random.chance(0.01) ? HUGE_TEXT : random.pick(HOSTILE_TEXTS)

type Place = { holder: Record<string, unknown> | unknown[]; key: string | number; schema: Schema | undefined }

/** Breaks `value` in one place, or nearly so. Changes `value` itself. */
export function mutateOnce(value: unknown, schema: Schema | undefined, random: Random): unknown {
  const places = placesIn(value, schema)
  const place = random.maybePick(places)
  if (!place || random.chance(0.05)) return random.pick(OTHER_TYPES)
  const { holder, key } = place
  if (random.chance(0.15)) {
    if (Array.isArray(holder)) holder.splice(Number(key), 1)
    else delete holder[key]
    return value
  }
  if (random.chance(0.08) && isObject(holder)) {
    addOddKey(holder, random)
    return value
  }
  Reflect.set(holder, key, hostileValue(place, random))
  return value
}

function hostileValue({ holder, key, schema = {} }: Place, random: Random): unknown {
  const current: unknown = Reflect.get(holder, key)
  if (random.chance(0.25)) return random.pick(OTHER_TYPES)
  if (Array.isArray(current)) return hostileArray(current, schema, random)
  if (typeof current === 'number') return hostileNumber(schema, random)
  if (typeof current === 'string') return textAtLimit(current, schema, random)
  return random.chance(0.5) ? hostileText(random) : random.pick(HOSTILE_NUMBERS)
}

function hostileArray(current: unknown[], { maxItems = 10 }: Schema, random: Random): unknown[] {
  const [first = random.uuid()] = current
  switch (random.integer(0, 4)) {
    case 0:
      return []
    case 1:
      return [...current, first, first]
    case 2:
      return Array.from({ length: maxItems + 1 }, () => first)
    case 3:
      return [...current, random.pick(OTHER_TYPES)]
    default:
      return random.chance(0.1) ? Array.from({ length: 20_000 }, () => first) : [current]
  }
}

function hostileNumber({ minimum, maximum }: Schema, random: Random): number {
  const limits = [minimum, maximum].filter((limit) => limit !== undefined)
  if (limits.length > 0 && random.chance(0.5)) return random.pick(limits) + random.pick([-1, 0, 1])
  return random.pick(HOSTILE_NUMBERS)
}

/** At the limit, one beyond it, in characters that take one, two or four bytes; or plainly hostile. */
function textAtLimit(current: string, { minLength, maxLength }: Schema, random: Random): string {
  const limits = [minLength, maxLength].filter((limit) => limit !== undefined && limit <= 20_000)
  const limit = random.maybePick(limits)
  if (limit !== undefined && random.chance(0.4))
    return random.pick(['a', 'ö', '🚀']).repeat(Math.max(0, limit + random.pick([-1, 0, 1])))
  if (random.chance(0.2)) return current + hostileText(random)
  if (random.chance(0.2)) return random.chance(0.5) ? current.toUpperCase() : current.slice(0, -1)
  return hostileText(random)
}

const ODD_KEYS = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  '',
  '$where',
  'id',
  'orgId',
  'role',
  '\0',
]

function addOddKey(holder: Record<string, unknown>, random: Random): void {
  const value = random.pick<unknown>([{ isAdmin: true }, 'owner', null, 1, []])
  Object.defineProperty(holder, random.pick(ODD_KEYS), {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  })
}

/** Every field and element at any depth. */
function placesIn(value: unknown, schema: Schema | undefined): Place[] {
  if (Array.isArray(value))
    return value.flatMap((item, key) => [
      { holder: value, key, schema: schema?.items },
      ...placesIn(item, schema?.items),
    ])
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([key, item]) => [
    { holder: value, key, schema: schema?.properties?.[key] },
    ...placesIn(item, schema?.properties?.[key]),
  ])
}

/** JSON that is broken, or that parsers read differently. */
export function hostileJson(json: string, random: Random): Buffer {
  const depth = random.chance(0.1) ? 50_000 : 300
  const spellings: (() => string | Buffer)[] = [
    () => json.slice(0, -1),
    () => `${json}${json}`,
    () => `\ufeff${json}`,
    () => json.replace(/}$/, ',}'),
    () => json.replace('{', '{"name":1,"name":2,"text":"a","text":"b",'),
    () => json.replace('{', '{"__proto__":{"polluted":true},'),
    () => `[${json}]`,
    () => '"text"',
    () => '0',
    () => 'null',
    () => 'NaN',
    () => ' '.repeat(1000),
    () => '['.repeat(depth),
    () => '['.repeat(depth) + ']'.repeat(depth),
    () => json.replace('{', `{"deep":${'{"a":'.repeat(depth)}1${'}'.repeat(depth)},`),
    () => json.replace(/"([^"]*)"}/, '"\\ud800$1"}'),
    () => json.replace(/:"/, ':"\\u0000'),
    () => json.replace(/:\d+/, ':1e400'),
    () => json.replace(/:\d+/, ':-0.0'),
    () => json.replace(/:\d+/, ':01'),
    () => json.replace(/":/g, '" : \t\r\n'),
    () => json.replaceAll('"', "'"),
    () => `${json}//`,
    () => Buffer.concat([Buffer.from(json.replace(/"}$/, '')), Buffer.from([0xc3, 0x28, 0x22, 0x7d])]),
    () => Buffer.from(json, 'utf16le'),
    () => (random.chance(0.05) ? json.replace('{', `{"pad":"${'x'.repeat(1_100_000)}",`) : '{}'),
  ]
  return Buffer.from(random.pick(spellings)())
}
