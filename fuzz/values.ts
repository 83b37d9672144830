import fc from 'fast-check'
import type { Schema } from './document.ts'
import { type Known, type Pool, resourceOfField } from './pool.ts'
import type { Random } from './random.ts'

/** Values for fields whose schema does not say enough, by name or by `operation.name`. */
export type Hints = Record<string, (random: Random) => unknown>

export type Source = {
  random: Random
  operationId: string
  pool: Pool
  /** Ids that belong together; a field uses its own from here before it looks into the pool. */
  known: Known
  hints: Hints
}

const WORDS = [
  'release',
  'Größe',
  'naïve',
  '議題',
  'שלום',
  '👩‍🚀',
  'a b',
  'x',
  '<b>',
  "O'Neil",
  '%',
  '\\',
  '"',
]
const UUID = /\{12\}\$$/
const OPTIONAL_SHARE = 0.5
const AT_LIMIT_SHARE = 0.1
/** Longer texts are made of less: at the limit of 10,000 characters a few are enough. */
const LONG_SHARE = 0.02

/** A value that the schema allows; ids in it are real ones where there are any. */
export function validValue(schema: Schema, name: string, source: Source): unknown {
  const { random, hints } = source
  const hint = hints[`${source.operationId}.${name}`] ?? hints[name]
  if (hint !== undefined && schema.type !== 'array') return hint(random)
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return random.pick(schema.enum)
  if (schema.anyOf) return validValue(random.pick(schema.anyOf), name, source)
  switch (schema.type) {
    case 'object':
      return validObject(schema, source)
    case 'array':
      return validArray(schema, name, source)
    case 'boolean':
      return random.chance(0.5)
    case 'null':
      return null
    case 'integer':
    case 'number':
      return validNumber(schema, random)
    default:
      return validText(schema, name, source)
  }
}

function validObject({ properties = {}, required = [] }: Schema, source: Source): Record<string, unknown> {
  const value: Record<string, unknown> = {}
  for (const [name, schema] of Object.entries(properties)) {
    if (required.includes(name) || source.random.chance(OPTIONAL_SHARE))
      value[name] = validValue(schema, name, source)
  }
  return value
}

function validArray({ items = {}, minItems = 0, maxItems = 5 }: Schema, name: string, source: Source) {
  const { random } = source
  const length = random.chance(AT_LIMIT_SHARE)
    ? random.pick([minItems, maxItems])
    : random.integer(minItems, Math.min(maxItems, minItems + 3))
  // Ids of one record belong together; an array needs different ones.
  const others = { ...source, known: {} }
  return Array.from({ length }, () => validValue(items, name, others))
}

function validNumber({ minimum = 0, maximum = Number.MAX_SAFE_INTEGER }: Schema, random: Random): number {
  if (random.chance(AT_LIMIT_SHARE)) return random.pick([minimum, maximum])
  return random.integer(minimum, Math.min(maximum, minimum + 100))
}

function validText(schema: Schema, name: string, source: Source): string {
  const { random, pool, known, operationId } = source
  if (name === 'cursor') return cursorOf(pool, random, operationId)
  const resource = resourceOfField(name)
  if (resource !== undefined) {
    const id = known[name] ?? known[`${resource}Id`] ?? pool.pick(random, resource)?.[`${resource}Id`]
    if (id !== undefined) return id
  }
  if (schema.format === 'email') return `fuzz-${random.next().toString(36)}@example.com`
  if (schema.pattern && UUID.test(schema.pattern)) return random.uuid()
  const { minLength = 1, maxLength = 40, pattern = '' } = schema
  const text = `${random.pick(WORDS)} ${random.next().toString(36)}`
    .padEnd(minLength, '.')
    .slice(0, maxLength)
  if (!new RegExp(pattern, 'u').test(text)) return random.pick(samplesOf(pattern))
  return random.chance(LONG_SHARE) ? text.padEnd(maxLength, 'ä') : text
}

/** A cursor given by this operation, perhaps for another list. */
function cursorOf(pool: Pool, random: Random, operationId: string): string {
  const resource = `cursor:${operationId}`
  return pool.pick(random, resource)?.[`${resource}Id`] ?? 'none'
}

const samples = new Map<string, string[]>()

/** Texts that match a pattern, built once. */
function samplesOf(pattern: string): string[] {
  const known = samples.get(pattern)
  if (known) return known
  const made = fc.sample(fc.stringMatching(new RegExp(pattern, 'u')), { seed: 1, numRuns: 30 })
  samples.set(pattern, made)
  return made
}
