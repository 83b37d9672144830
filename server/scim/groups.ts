import { LIMITS } from '../../contract/limits.ts'
import { GROUP_SCHEMA } from '../../contract/scim.ts'
import { isName } from '../text.ts'
import { fieldOf, requiredValue } from './match.ts'
import type { PatchOperation } from './patch.ts'
import { badRequest } from './refusal.ts'

/** A group in the words of a request. `members` are all of them, `added` and `removed` some. */
export type GroupDraft = {
  displayName?: string
  externalId?: string
  members?: string[]
  added: string[]
  removed: string[]
}

/** Attributes that a filter can name. */
export const GROUP_FILTERS = [
  'id',
  'externalid',
  'displayname',
  'members',
  'members.value',
  'meta.created',
  'meta.lastmodified',
]

/** Reads a whole resource, of POST and PUT. */
export function readGroup(resource: unknown): GroupDraft {
  const members = fieldOf(resource, 'members')
  return {
    ...readNames(fieldOf(resource, 'displayname'), fieldOf(resource, 'externalid')),
    ...(members !== undefined && { members: idsOf(members) }),
    added: [],
    removed: [],
  }
}

/** Reads the changes of a PATCH: a later operation overrules an earlier one. Members are not read for it, since there may be many. */
export function readGroupPatch(operations: readonly PatchOperation[]): GroupDraft {
  const draft: GroupDraft = { added: [], removed: [] }
  const changes = new Map<string, boolean>()
  for (const { op, path, value } of operations) {
    const { attribute } = path
    if (attribute === 'displayname') Object.assign(draft, readNames(op === 'remove' ? '' : value, undefined))
    else if (attribute === 'externalid')
      Object.assign(draft, readNames(undefined, op === 'remove' ? '' : value))
    else if (attribute === 'members') changeMembers(draft, changes, { op, path, value })
    else if (!['id', 'schemas', 'meta'].includes(attribute))
      throw badRequest('invalidPath', `a group has no attribute ${attribute}`)
  }
  for (const [id, isIn] of changes) (isIn ? draft.added : draft.removed).push(id)
  if (!draft.members) return draft
  const members = new Set(draft.members)
  for (const id of draft.added) members.add(id)
  for (const id of draft.removed) members.delete(id)
  return { ...draft, members: [...members], added: [], removed: [] }
}

function changeMembers(
  draft: GroupDraft,
  changes: Map<string, boolean>,
  { op, path, value }: PatchOperation,
): void {
  if (path.filter) {
    const id = requiredValue(path.filter, ['value'])
    if (id === undefined || op !== 'remove')
      throw badRequest('invalidPath', 'name a member to remove as members[value eq "…"]')
    changes.set(idOf(id), false)
    return
  }
  // Entra removes members by their values, which the standard does not know; without values all of them go.
  const isAll = op === 'replace' || (op === 'remove' && (value === undefined || value === null))
  const ids = value === undefined || value === null ? [] : idsOf(value)
  if (isAll) {
    changes.clear()
    draft.members = op === 'replace' ? ids : []
    return
  }
  for (const id of ids) changes.set(id, op === 'add')
}

function idsOf(members: unknown): string[] {
  if (members === null) return []
  const list: unknown[] = Array.isArray(members) ? members : [members]
  return [...new Set(list.map((member) => idOf(fieldOf(member, 'value'), fieldOf(member, 'type'))))]
}

function idOf(value: unknown, type?: unknown): string {
  if (typeof type === 'string' && type.toLowerCase() === 'group')
    throw badRequest('invalidValue', 'a group cannot have groups as members')
  if (typeof value !== 'string')
    throw badRequest('invalidValue', 'each member needs the id of a person as its value')
  return value.toLowerCase()
}

function readNames(
  displayName: unknown,
  externalId: unknown,
): Pick<GroupDraft, 'displayName' | 'externalId'> {
  const names: Pick<GroupDraft, 'displayName' | 'externalId'> = {}
  if (displayName !== undefined) names.displayName = readDisplayName(displayName)
  if (externalId !== undefined) {
    if (externalId !== null && typeof externalId !== 'string')
      throw badRequest('invalidValue', 'externalId must be a text')
    if ((externalId ?? '').length > LIMITS.scimText)
      throw badRequest('invalidValue', `externalId must have at most ${LIMITS.scimText} characters`)
    names.externalId = externalId ?? ''
  }
  return names
}

function readDisplayName(value: unknown): string {
  const name = typeof value === 'string' ? value.trim() : ''
  if (name === '' || name.length > LIMITS.orgUnitName || !isName(name))
    throw badRequest(
      'invalidValue',
      `displayName must be a text of 1 to ${LIMITS.orgUnitName} characters without control characters`,
    )
  return name
}

export type GroupRow = {
  id: string
  name: string
  externalId: string | null
  createdAt: number
  updatedAt: number
  /** Undefined where they were not read. */
  members?: { id: string; name: string }[]
}

/** A group without `meta`. */
export const groupOf = (row: GroupRow, base: string): Record<string, unknown> => ({
  schemas: [GROUP_SCHEMA],
  id: row.id,
  ...(row.externalId && { externalId: row.externalId }),
  displayName: row.name,
  ...(row.members && {
    members: row.members.map(({ id, name }) => ({
      value: id,
      $ref: `${base}/Users/${id}`,
      display: name,
      type: 'User',
    })),
  }),
})
