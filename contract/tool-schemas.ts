import type { TSchema } from 'typebox'

export type ObjectSchema = {
  type: 'object'
  properties: Record<string, unknown>
  required?: string[]
  additionalProperties?: false
}

/** Keywords of a schema that models read. Patterns, examples and formats are left out: a refusal says which one was broken. */
const TOLD = [
  'type',
  'description',
  'default',
  'enum',
  'const',
  'minimum',
  'maximum',
  'maxLength',
  'maxItems',
]

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The schema of an argument, as short as a model needs it. */
export function briefInput(schema: unknown): Record<string, unknown> {
  if (!isObject(schema)) return {}
  const { properties, required, items, anyOf } = schema
  return {
    ...Object.fromEntries(TOLD.flatMap((name) => (name in schema ? [[name, schema[name]]] : []))),
    ...(isObject(properties) && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, of]) => [name, briefInput(of)])),
    }),
    ...(Array.isArray(required) && required.length > 0 && { required }),
    ...(isObject(items) && { items: briefInput(items) }),
    ...(Array.isArray(anyOf) && { anyOf: anyOf.map(briefInput) }),
  }
}

/** The schema of an answer: the names of its fields and their types. The values of lists explain themselves. */
export function briefOutput(schema: TSchema): ObjectSchema {
  const { properties }: { properties?: unknown } = schema
  if (!isObject(properties)) throw new Error('answers of tools are objects')
  return {
    type: 'object',
    properties: Object.fromEntries(Object.entries(properties).map(([name, of]) => [name, typeOf(of)])),
  }
}

function typeOf(schema: unknown): object {
  const { type, items } = Object(schema)
  if (typeof type !== 'string') return {}
  const itemType: unknown = Object(items).type
  return { type, ...(type === 'array' && typeof itemType === 'string' && { items: { type: itemType } }) }
}
