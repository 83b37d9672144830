import { LIMITS } from '../../contract/limits.ts'
import type { Role } from '../../contract/operation.ts'
import { ENTERPRISE_SCHEMA, USER_SCHEMA } from '../../contract/scim.ts'
import { countCodePoints, EMAIL, firstCodePoints, isName, toName } from '../text.ts'
import { fieldOf } from './match.ts'
import { type Attributes, applyOperations, type PatchOperation } from './patch.ts'
import { badRequest } from './refusal.ts'

/** A person in the words of a request. Missing fields stay as they are; an empty text removes a value. */
export type PersonDraft = {
  userName?: string
  externalId?: string
  displayName?: string
  givenName?: string
  familyName?: string
  formatted?: string
  email?: string
  phone?: string
  title?: string
  timeZone?: string
  active?: boolean
}

const ATTRIBUTES: Attributes = {
  username: { name: 'userName' },
  externalid: { name: 'externalId' },
  name: { name: 'name' },
  displayname: { name: 'displayName' },
  title: { name: 'title' },
  timezone: { name: 'timezone' },
  active: { name: 'active' },
  emails: { name: 'emails', isList: true },
  phonenumbers: { name: 'phoneNumbers', isList: true },
}

/** Attributes of RFC 7643 that Parley has no use for. Identity providers send them by default. */
const NOT_KEPT = [
  'nickname',
  'profileurl',
  'usertype',
  'preferredlanguage',
  'locale',
  'password',
  'ims',
  'photos',
  'addresses',
  'entitlements',
  'roles',
  'x509certificates',
  'schemas',
  'id',
  'meta',
]

/** Attributes that a filter can name. */
export const USER_FILTERS = [
  'id',
  'externalid',
  'username',
  'displayname',
  'name',
  'name.formatted',
  'name.givenname',
  'name.familyname',
  'title',
  'timezone',
  'active',
  'emails',
  'emails.value',
  'emails.type',
  'emails.primary',
  'phonenumbers',
  'phonenumbers.value',
  'phonenumbers.type',
  'phonenumbers.primary',
  'groups',
  'groups.value',
  'groups.display',
  'meta.created',
  'meta.lastmodified',
]

/** The draft that a PATCH makes of a person. An attribute that it removes is an empty text. */
export function readUserPatch(
  user: Record<string, unknown>,
  operations: readonly PatchOperation[],
): PersonDraft {
  const kept = operations.filter(({ path }) => isKept(path.attribute))
  const [before, after] = [readUser(user), readUser(applyOperations(user, kept, ATTRIBUTES))]
  const removed = REMOVABLE.filter((field) => before[field] !== undefined && after[field] === undefined)
  return { ...after, ...Object.fromEntries(removed.map((field) => [field, ''])) }
}

const REMOVABLE = ['externalId', 'givenName', 'familyName', 'phone', 'title', 'timeZone'] as const

function isKept(attribute: string): boolean {
  if (attribute === 'groups')
    throw badRequest('mutability', 'groups is read-only: change the members of the group')
  if (Object.hasOwn(ATTRIBUTES, attribute)) return true
  if (NOT_KEPT.includes(attribute) || attribute.startsWith(ENTERPRISE_SCHEMA)) return false
  throw badRequest('invalidPath', `a person has no attribute ${attribute}`)
}

/** Reads a whole resource; what it leaves out stays as it is. */
export function readUser(resource: unknown): PersonDraft {
  const name = fieldOf(resource, 'name')
  const userName = plainOf(fieldOf(resource, 'username'), 'userName')
  const emails = fieldOf(resource, 'emails')
  const email = addressOf(emails)
  const active = booleanOf(fieldOf(resource, 'active'))
  const draft = {
    userName,
    externalId: plainOf(fieldOf(resource, 'externalid'), 'externalId'),
    displayName: nameOf(fieldOf(resource, 'displayname'), 'displayName'),
    givenName: nameOf(fieldOf(name, 'givenname'), 'name.givenName'),
    familyName: nameOf(fieldOf(name, 'familyname'), 'name.familyName'),
    formatted: nameOf(fieldOf(name, 'formatted'), 'name.formatted'),
    email,
    phone: nameOf(chosen(fieldOf(resource, 'phonenumbers'), ['work', 'mobile']), 'phoneNumbers'),
    title: nameOf(fieldOf(resource, 'title'), 'title'),
    timeZone: textOf(fieldOf(resource, 'timezone'), 'timezone'),
    active,
  }
  return Object.fromEntries(Object.entries(draft).filter(([, value]) => value !== undefined))
}

/** The name of a person whom the identity provider names for the first time. */
export const fullName = ({ displayName, formatted, givenName = '', familyName = '' }: PersonDraft): string =>
  displayName || formatted || `${givenName} ${familyName}`.trim()

function textOf(value: unknown, field: string): string | undefined {
  if (value === undefined) return undefined
  if (value === null) return ''
  if (typeof value !== 'string') throw badRequest('invalidValue', `${field} must be a text`)
  const text = value.trim()
  if (countCodePoints(text) > LIMITS.scimText)
    throw badRequest('invalidValue', `${field} must have at most ${LIMITS.scimText} characters`)
  return text
}

/** A text that is kept as it comes, and shown in the audit log. */
function plainOf(value: unknown, field: string): string | undefined {
  const text = textOf(value, field)
  if (text !== undefined && !isName(text))
    throw badRequest('invalidValue', `${field} must not have control characters`)
  return text
}

/** Texts that are shown beside others hold no control characters, and are as long as people may make them. */
function nameOf(value: unknown, field: string): string | undefined {
  const text = textOf(value, field)
  return text && firstCodePoints(toName(text), LIMITS.profileName)
}

/** Entra sends "True" and "False" as texts. */
function booleanOf(value: unknown): boolean | undefined {
  if (value === undefined || value === null || typeof value === 'boolean') return value ?? undefined
  const word = typeof value === 'string' ? value.toLowerCase() : ''
  if (word !== 'true' && word !== 'false') throw badRequest('invalidValue', 'active must be true or false')
  return word === 'true'
}

function addressOf(emails: unknown): string | undefined {
  const address = textOf(chosen(emails, ['work']), 'emails')
  return address ? checkedAddress(address, 'emails') : undefined
}

export function checkedAddress(address: string, field: string): string {
  if (!EMAIL.test(address) || address.length > LIMITS.email)
    throw badRequest('invalidValue', `${field} must have an e-mail address`)
  return address
}

export const isAddress = (text: string): boolean => EMAIL.test(text) && text.length <= LIMITS.email

/** Chooses one of several values: the primary one, else the first of a preferred type, else the first. */
function chosen(values: unknown, types: readonly string[]): unknown {
  if (values === undefined || values === null) return undefined
  if (!Array.isArray(values)) throw badRequest('invalidValue', 'emails and phoneNumbers must be lists')
  if (values.length > LIMITS.scimValues)
    throw badRequest('tooMany', `emails and phoneNumbers can have ${LIMITS.scimValues} values at most`)
  const typeOf = (one: unknown) => String(fieldOf(one, 'type') ?? '').toLowerCase()
  const filled = values.filter((one) => fieldOf(one, 'value'))
  const best =
    filled.find((one) => fieldOf(one, 'primary') === true || fieldOf(one, 'primary') === 'True') ??
    types.map((type) => filled.find((one) => typeOf(one) === type)).find((one) => one !== undefined) ??
    filled[0]
  return best === undefined ? '' : fieldOf(best, 'value')
}

export type UserRow = {
  id: string
  name: string
  email: string
  phone: string
  title: string
  timeZone: string
  externalId: string | null
  status: 'Pending' | 'Active' | 'Archived'
  role: Role
  userName: string | null
  givenName: string
  familyName: string
  groups: { id: string; name: string }[]
  createdAt: number
  updatedAt: number
}

/** A person without `meta`: what a PATCH starts from. */
export function userOf(row: UserRow, base: string): Record<string, unknown> {
  const { name, givenName, familyName, email, phone } = row
  return {
    schemas: [USER_SCHEMA],
    id: row.id,
    ...(row.externalId !== null && row.externalId !== '' && { externalId: row.externalId }),
    userName: row.userName ?? email,
    name: { formatted: name, ...(givenName && { givenName }), ...(familyName && { familyName }) },
    displayName: name,
    ...(row.title && { title: row.title }),
    ...(row.timeZone && { timezone: row.timeZone }),
    active: row.status !== 'Archived',
    emails: [{ value: email, type: 'work', primary: true }],
    ...(phone && { phoneNumbers: [{ value: phone, type: 'work', primary: true }] }),
    groups: row.groups.map((group) => ({
      value: group.id,
      $ref: `${base}/Groups/${group.id}`,
      display: group.name,
      type: 'direct',
    })),
  }
}
