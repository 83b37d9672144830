import { type TProperties, type TSchema, Type } from 'typebox'
import type { ErrorCodes } from '../common.ts'
import { Page, Uuid } from '../common.ts'
import { LIMITS } from '../limits.ts'
import { NAME_PATTERN, noControlCharacters } from '../names.ts'

export const Email = Type.String({
  format: 'email',
  maxLength: LIMITS.email,
  description: 'An e-mail address',
  'x-codes': {
    required: 'email_invalid',
    type: 'email_invalid',
    format: 'email_invalid',
    maxLength: 'email_invalid',
  } satisfies ErrorCodes,
})

/** A name that has more than spaces. */
export const Name = (maxLength: number, description: string, field = 'name') =>
  Type.String({
    maxLength,
    pattern: NAME_PATTERN,
    not: { pattern: '^\\s*$' },
    description,
    'x-errors': { pattern: noControlCharacters(field), not: `${field} is required` },
  })

/** The token behind the `#` of a one-time link. */
export const LinkToken = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'The token of a one-time link',
})

export const Password = Type.String({
  maxLength: LIMITS.passwordMax,
  description: `At least ${LIMITS.passwordMin} characters, and none that others guess first`,
})
export const PASSWORD_REFUSALS = ['password_too_short', 'field_too_long.password', 'password_easy'] as const

/** The path parameters of an organization, and others. */
export const InOrganization = <Others extends TProperties = Record<never, never>>(others?: Others) =>
  Type.Object({ organizationId: Uuid('The organization'), ...(others as Others) })

export const ORGANIZATION = '/people/organizations/{organizationId}'

export const ORDERS = ['asc', 'desc'] as const
export type Order = (typeof ORDERS)[number]

/** The answer of a list of the console: it can be turned in both directions, and says where one is in it. */
export const ListPage = <Name extends string, Item extends TSchema>(name: Name, item: Item) =>
  Type.Object({
    ...Page(name, item).properties,
    previousCursor: Type.Optional(Type.String({ description: 'Leads to the page before, if there is one' })),
    from: Type.Integer({ minimum: 0, description: 'The number of items before this page' }),
    total: Type.Integer({ minimum: 0, description: 'The number of items on all pages' }),
  })
