import type { TSchema } from 'typebox'
import { PERSON_PREFIX, PROFILE_ID, UUID } from '../../contract/common.ts'

const PREFIXED = new RegExp(`^${PERSON_PREFIX}${UUID}$`)

/** Whether a schema has profile ids at any depth. */
export const hasProfileIds = (schema: TSchema): boolean => JSON.stringify(schema).includes(PROFILE_ID)

/** Takes `u@` off the ids of people, wherever the schema has a profile id. Other values stay what they are. */
export function withoutPersonPrefix(schema: unknown, value: unknown): unknown {
  const { pattern, properties, items, anyOf } = Object(schema)
  if (typeof value === 'string')
    return mayBeProfile(pattern, anyOf) && PREFIXED.test(value) ? value.slice(PERSON_PREFIX.length) : value
  if (Array.isArray(value))
    return items === undefined ? value : value.map((item) => withoutPersonPrefix(items, item))
  if (typeof value !== 'object' || value === null || properties === undefined) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      name,
      Object.hasOwn(properties, name) ? withoutPersonPrefix(properties[name], field) : field,
    ]),
  )
}

const mayBeProfile = (pattern: unknown, anyOf: unknown): boolean =>
  (typeof pattern === 'string' && pattern.includes(PROFILE_ID)) ||
  (Array.isArray(anyOf) && anyOf.some((one) => mayBeProfile(Object(one).pattern, undefined)))
