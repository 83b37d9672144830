import { LIMITS } from '../../contract/limits.ts'
import type { Comparison, Filter, Literal } from './filter.ts'
import { badRequest } from './refusal.ts'

/** Attributes whose values are compared letter by letter. All other texts are compared without regard to case. */
const CASE_EXACT = ['id', 'externalid', 'meta.created', 'meta.lastmodified']
/** Attributes that hold times: two forms of one moment are equal. */
const TIMES = ['meta.created', 'meta.lastmodified']

/** Values at `path` in a resource: one, none, or several where an attribute on the way has several. */
export function valuesAt(resource: unknown, path: string): unknown[] {
  return path
    .split('.')
    .reduce((values, name) => values.flatMap((value) => listOf(fieldOf(value, name))), [resource])
}

/** A field by its name without regard to case. */
export function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  return attributesOf(value).find(([key]) => key.toLowerCase() === name)?.[1]
}

/** Names and values of an object, which has some dozen: a body has room for 150,000, and each is looked at again and again. */
export function attributesOf(value: object): [name: string, value: unknown][] {
  const attributes = Object.entries(value)
  if (attributes.length > LIMITS.scimAttributes)
    throw badRequest('tooMany', `an object can have ${LIMITS.scimAttributes} attributes at most`)
  return attributes
}

const listOf = (value: unknown): unknown[] =>
  value === undefined || value === null ? [] : Array.isArray(value) ? value : [value]

/** Whether a resource, or one value of an attribute with several, passes the filter. */
export function matches(resource: unknown, filter: Filter): boolean {
  switch (filter.kind) {
    case 'and':
      return filter.parts.every((part) => matches(resource, part))
    case 'or':
      return filter.parts.some((part) => matches(resource, part))
    case 'not':
      return !matches(resource, filter.part)
    case 'value':
      return valuesAt(resource, filter.path).some((value) => matches(value, filter.filter))
    case 'present':
      return valuesAt(resource, filter.path).some((value) => value !== '')
    case 'compare':
      return comparesAt(resource, filter)
  }
}

function comparesAt(resource: unknown, { path, by, value }: Filter & { kind: 'compare' }): boolean {
  // `emails eq "…"` means the values of the attribute.
  const found = valuesAt(resource, path).map((one) => (typeof one === 'object' ? fieldOf(one, 'value') : one))
  if (value === null) return (by === 'ne') === found.length > 0
  if (by === 'ne') return found.every((one) => !compares(path, one, 'eq', value))
  return found.some((one) => compares(path, one, by, value))
}

function compares(path: string, found: unknown, by: Comparison, wanted: Literal): boolean {
  if (typeof found === 'boolean') {
    if (by === 'eq') return found === wanted || String(found) === String(wanted).toLowerCase()
    throw badRequest('invalidFilter', `${path} is true or false: compare it with eq or ne`)
  }
  if (typeof found !== 'string') return false
  const [one, other] = [comparable(path, found), comparable(path, String(wanted))]
  switch (by) {
    case 'eq':
      return one === other
    case 'co':
      return String(one).includes(String(other))
    case 'sw':
      return String(one).startsWith(String(other))
    case 'ew':
      return String(one).endsWith(String(other))
    case 'gt':
      return one > other
    case 'ge':
      return one >= other
    case 'lt':
      return one < other
    case 'le':
      return one <= other
    case 'ne':
      return one !== other
  }
}

function comparable(path: string, text: string): string | number {
  if (TIMES.includes(path)) {
    const at = Date.parse(text)
    if (Number.isNaN(at))
      throw badRequest('invalidFilter', `${path} is compared with a time such as 2026-01-31T12:00:00Z`)
    return at
  }
  return CASE_EXACT.includes(path) ? text : text.toLowerCase()
}

/** Every attribute that a filter names, with those in brackets behind theirs. */
export function pathsOf(filter: Filter, before = ''): string[] {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.parts.flatMap((part) => pathsOf(part, before))
    case 'not':
      return pathsOf(filter.part, before)
    case 'value':
      return [`${before}${filter.path}`, ...pathsOf(filter.filter, `${before}${filter.path}.`)]
    default:
      return [`${before}${filter.path}`]
  }
}

/** A value that an attribute must equal for the filter to pass, so that an index finds the few resources that can. */
export function requiredValue(filter: Filter, paths: readonly string[]): string | undefined {
  if (filter.kind === 'compare')
    return filter.by === 'eq' && typeof filter.value === 'string' && paths.includes(filter.path)
      ? filter.value
      : undefined
  if (filter.kind === 'value') {
    const within = paths.flatMap((path) =>
      path.startsWith(`${filter.path}.`) ? [path.slice(filter.path.length + 1)] : [],
    )
    return within.length === 0 ? undefined : requiredValue(filter.filter, within)
  }
  if (filter.kind !== 'and') return undefined
  return filter.parts.map((part) => requiredValue(part, paths)).find((value) => value !== undefined)
}
