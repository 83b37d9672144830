import { CALLS, ERROR_CODES, EVENT_DATA, isOptional, NAMED, nameOf, type Schema } from './schemas.ts'

/* Writes `api.ts` from the contract: what each operation takes and answers, and what each event holds. */

const HEAD = `// Generated from the contract by \`npm run sdk\`. Do not edit.

import type { FileInput } from './files.ts'
`

export function generateApi(): string {
  const named = Object.entries(NAMED).map(
    ([name, schema]) => `export type ${name} = ${writtenOut(schema, 0)}\n`,
  )
  const types = CALLS.map(({ id, summary, params, query, body, form, success }) => {
    const schemas = Object.values(success).map(({ schema }) => schema)
    const answers = [...new Set(schemas.map((schema) => (schema ? typeOf(schema, 2) : 'undefined')))]
    const fields = [
      ...(params ? [`    params: ${typeOf(params, 3)}`] : []),
      ...(query ? [`    query${isOptional(query) ? '?' : ''}: ${typeOf(query, 3)}`] : []),
      ...(body ? [`    body${isOptional(body) ? '?' : ''}: ${typeOf(body, 3)}`] : []),
    ]
    const input = fields.length === 0 ? '{}' : `{\n  ${fields.join('\n  ')}\n    }`
    const upload = form
      ? `    upload: {\n      form: ${typeOf(form.meta, 3)}\n      files: FileInput[]\n    }\n`
      : ''
    return `  /** ${summary} */\n  ${id}: {\n    input: ${input}\n${upload}    answer: ${answers.join(' | ')}\n  }\n`
  })
  const routes = CALLS.map(({ id, method, path }) => `  ${id}: ['${method}', '${path}'],\n`)
  const events = EVENT_DATA.map(([type, data]) => `  '${type}': ${typeOf(data, 1)}\n`)
  return `${HEAD}
${named.join('\n')}
export type Operations = {
${types.join('')}}

export type EventData = {
${events.join('')}}

/** Codes of refusals, as \`ParleyError.code\` has them. */
export type ErrorCode =
${ERROR_CODES.map((code) => `  | '${code}'\n`).join('')}
export type EventType = keyof EventData
export const EVENT_TYPES: readonly EventType[] = [
${EVENT_DATA.map(([type]) => `  '${type}',\n`).join('')}]

export const ROUTES = {
${routes.join('')}} as const
`
}

const typeOf = (schema: Schema, depth: number): string => nameOf(schema) ?? writtenOut(schema, depth)

function writtenOut(schema: Schema, depth: number): string {
  if (schema.const !== undefined) return quoted(schema.const)
  if (schema.enum) return schema.enum.map(quoted).join(' | ')
  const options = schema.anyOf ?? schema.oneOf
  if (options) return options.map((option) => typeOf(option, depth)).join(' | ')
  switch (schema.type) {
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type
    case 'integer':
    case 'number':
      return 'number'
    case 'array': {
      const items = typeOf(schema.items ?? {}, depth)
      return items.includes(' | ') ? `(${items})[]` : `${items}[]`
    }
    case 'object':
      return objectOf(schema, depth)
    default:
      return 'unknown'
  }
}

function objectOf({ properties, patternProperties, required = [] }: Schema, depth: number): string {
  const [values = {}] = Object.values(patternProperties ?? {})
  if (!properties) return `Record<string, ${typeOf(values, depth)}>`
  const indent = '  '.repeat(depth + 1)
  const fields = Object.entries(properties).map(([name, property]) => {
    const text = property.description?.replaceAll('*/', '* /')
    const comment = text ? `${indent}/** ${text} */\n` : ''
    const label = /^[A-Za-z_]\w*$/.test(name) ? name : quoted(name)
    return `${comment}${indent}${label}${required.includes(name) ? '' : '?'}: ${typeOf(property, depth + 1)}\n`
  })
  return `{\n${fields.join('')}${'  '.repeat(depth)}}`
}

const quoted = (value: unknown): string =>
  typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : String(value)
