import type { TSchema } from 'typebox'

/** A field unknown to a schema, and the fields that it has. */
export type UnknownField = { name: string; known: string[] }

/**
 * The first unknown field of a value. A schema with `x-open` describes what a browser writes, which may have more
 * fields. Of several possible schemas, one must have all fields of the value.
 */
export function findUnknownField(schema: TSchema, value: unknown): UnknownField | undefined {
  const { properties, patternProperties, items, anyOf }: Schema = schema
  if (anyOf) {
    const found = anyOf.filter((one) => mayHave(one, value)).map((one) => findUnknownField(one, value))
    return found.every((one) => one !== undefined) ? found[0] : undefined
  }
  if (Array.isArray(value)) return items && firstOf(value, (element) => findUnknownField(items, element))
  if (!properties || typeof value !== 'object' || value === null) return undefined
  return firstOf(Object.entries(value), ([name, inner]) => {
    const own = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (own) return findUnknownField(own, inner)
    if (patternProperties || 'x-open' in schema) return undefined
    return { name, known: Object.keys(properties) }
  })
}

/** Null and text name no fields of an object: they are no schemas that it may have. */
const mayHave = (schema: TSchema, value: unknown): boolean =>
  typeof value !== 'object' || value === null || !('type' in schema) || schema.type === kindOf(value)

const kindOf = (value: object): string => (Array.isArray(value) ? 'array' : 'object')

type Schema = {
  properties?: Record<string, TSchema>
  patternProperties?: unknown
  items?: TSchema
  anyOf?: TSchema[]
}

function firstOf<Item, Found>(items: readonly Item[], find: (item: Item) => Found | undefined) {
  for (const item of items) {
    const found = find(item)
    if (found !== undefined) return found
  }
  return undefined
}

/** `unknown field "maxPeople"; did you mean "maxUses"?` */
export function describeUnknownField({ name, known }: UnknownField): string {
  const shown = JSON.stringify(name.slice(0, 50))
  const [nearest] = known
    .map((other) => ({
      other,
      distance: distanceBetween(name.slice(0, 50).toLowerCase(), other.toLowerCase()),
    }))
    .filter(({ other, distance }) => distance <= Math.max(name.length, other.length) * 0.6)
    .sort((one, other) => one.distance - other.distance)
  if (nearest) return `unknown field ${shown}; did you mean ${JSON.stringify(nearest.other)}?`
  return known.length === 0
    ? `unknown field ${shown}`
    : `unknown field ${shown}; there are ${known.join(', ')}`
}

/** Number of letters to add, remove or replace between two names. */
function distanceBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (const [index, letter] of [...one].entries()) {
    const next = [index + 1]
    for (let place = 0; place < other.length; place++) {
      const replaced = (row[place] ?? 0) + (letter === other[place] ? 0 : 1)
      next.push(Math.min(replaced, (row[place + 1] ?? 0) + 1, (next[place] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
