import { LIMITS } from '../../contract/limits.ts'
import { attributeName, type Filter, type Path, parsePath } from './filter.ts'
import { attributesOf, fieldOf, matches } from './match.ts'
import { badRequest } from './refusal.ts'

export const PATCH_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'

export type PatchOperation = { op: 'add' | 'remove' | 'replace'; path: Path; value: unknown }
type Resource = Record<string, unknown>

const isObject = (value: unknown): value is Resource =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * The operations of a PATCH, each with a path. One without a path has an object of attributes, whose names are paths; Entra writes `Add`,
 * `Replace` and `Remove` with capitals.
 */
export function readOperations(body: unknown): PatchOperation[] {
  const operations = fieldOf(body, 'operations')
  if (!Array.isArray(operations) || operations.length === 0)
    throw badRequest('invalidSyntax', 'Operations must be a list with at least one operation')
  if (operations.length > LIMITS.scimOperations)
    throw badRequest('tooMany', `a request can have ${LIMITS.scimOperations} operations at most`)
  return operations.flatMap(readOperation)
}

function readOperation(operation: unknown): PatchOperation[] {
  const word = String(fieldOf(operation, 'op') ?? '').toLowerCase()
  const op = (['add', 'remove', 'replace'] as const).find((one) => one === word)
  if (!op) throw badRequest('invalidSyntax', 'op must be add, remove or replace')
  const path = fieldOf(operation, 'path')
  const value = fieldOf(operation, 'value')
  if (path !== undefined && path !== null && typeof path !== 'string')
    throw badRequest('invalidPath', 'path must be a text')
  if (typeof path === 'string' && path !== '') {
    if (op !== 'remove' && value === undefined) throw badRequest('invalidValue', `${op} needs a value`)
    return [{ op, path: parsePath(path), value }]
  }
  if (op === 'remove') throw badRequest('noTarget', 'remove needs a path')
  if (!isObject(value)) throw badRequest('invalidValue', `${op} without a path needs an object of attributes`)
  return attributesOf(value).map(([name, inner]) => ({ op, path: parsePath(name), value: inner }))
}

/** Attributes of a resource that a PATCH can name, in small letters, each with its name in the resource. */
export type Attributes = Readonly<Record<string, { name: string; isList?: boolean }>>

/** The resource after these operations. Attributes that are not in `attributes` have been sorted out before. */
export function applyOperations(
  resource: Resource,
  operations: readonly PatchOperation[],
  attributes: Attributes,
): Resource {
  const result = structuredClone(resource)
  for (const operation of operations) {
    const attribute = attributes[operation.path.attribute]
    if (!attribute) continue
    if (attribute.isList) applyToList(result, attribute.name, operation)
    else applyToValue(result, attribute.name, operation)
  }
  return result
}

function applyToValue(result: Resource, name: string, { op, path, value }: PatchOperation): void {
  if (path.filter) throw badRequest('invalidPath', `${name} has one value: it cannot be filtered`)
  const { sub } = path
  if (sub === undefined) {
    if (op === 'remove') delete result[name]
    else
      result[name] =
        isObject(value) && isObject(result[name]) ? { ...result[name], ...canonical(value) } : value
    return
  }
  const inner: Resource = isObject(result[name]) ? { ...result[name] } : {}
  if (op === 'remove') delete inner[canonicalName(sub)]
  else inner[canonicalName(sub)] = value
  result[name] = inner
}

function applyToList(result: Resource, name: string, { op, path, value }: PatchOperation): void {
  const before = result[name]
  const list: unknown[] = Array.isArray(before) ? before : []
  if (list.length > LIMITS.scimValues)
    throw badRequest('tooMany', `${name} can have ${LIMITS.scimValues} values at most`)
  if (path.filter) {
    result[name] = changeMatching(list, { op, value, filter: path.filter, sub: path.sub })
    return
  }
  if (path.sub !== undefined)
    throw badRequest('invalidPath', `name one value of ${name}, such as ${name}[type eq "work"]`)
  const given = Array.isArray(value) ? value : value === undefined || value === null ? [] : [value]
  if (op === 'replace') result[name] = given
  if (op === 'add') result[name] = [...list, ...given]
  if (op === 'remove') delete result[name]
}

function changeMatching(
  list: readonly unknown[],
  {
    op,
    value,
    filter,
    sub,
  }: { op: PatchOperation['op']; value: unknown; filter: Filter; sub: string | undefined },
): unknown[] {
  const isMeant = (one: unknown) => matches(one, filter)
  if (op === 'remove')
    return sub === undefined
      ? list.filter((one) => !isMeant(one))
      : list.map((one) => (isMeant(one) ? without(one, sub) : one))
  const change = (one: unknown): Resource =>
    sub === undefined
      ? { ...asObject(one), ...canonical(value) }
      : { ...asObject(one), [canonicalName(sub)]: value }
  if (list.some(isMeant)) return list.map((one) => (isMeant(one) ? change(one) : one))
  // Entra replaces values that are not there yet, so that one with what the filter asks for is made.
  return [...list, change(askedFor(filter))]
}

/** A value that passes the filter, where that asks for nothing but equal values. */
function askedFor(filter: Filter): Resource {
  if (filter.kind === 'compare' && filter.by === 'eq') return { [canonicalName(filter.path)]: filter.value }
  if (filter.kind === 'and') return Object.assign({}, ...filter.parts.map(askedFor))
  throw badRequest('noTarget', 'the path matches no value')
}

const asObject = (value: unknown): Resource => (isObject(value) ? value : { value })

function without(value: unknown, sub: string): unknown {
  const left: Resource = { ...asObject(value) }
  delete left[canonicalName(sub)]
  return left
}

const NAMES = ['value', 'type', 'primary', 'display', 'formatted', 'givenName', 'familyName']

/** Names of parts as resources write them, whatever their case in the request. */
const canonicalName = (name: string): string => {
  const small = attributeName(name)
  return NAMES.find((one) => one.toLowerCase() === small) ?? small
}

function canonical(value: unknown): Resource {
  if (!isObject(value)) throw badRequest('invalidValue', 'the value must be an object')
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [canonicalName(name), inner]))
}
