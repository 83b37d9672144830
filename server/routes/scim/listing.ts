import type { FastifyRequest } from 'fastify'
import { LIMITS } from '../../../contract/limits.ts'
import { attributeName, type Filter, parseFilter } from '../../scim/filter.ts'
import { fieldOf, pathsOf } from '../../scim/match.ts'
import { badRequest } from '../../scim/refusal.ts'
import { type Choice, choiceOf } from './answers.ts'
import { bodyOf } from './request.ts'

/** A list that a request asks for: the first resource is number 1. */
export type Listing = {
  filter: Filter | undefined
  startIndex: number
  count: number
  sortBy: string | undefined
  isDescending: boolean
  choice: Choice
}

/** Reads the query of GET, or the body of `POST …/.search`, which has the same fields. */
export function readListing(request: FastifyRequest, filters: readonly string[]): Listing {
  const asked = request.method === 'POST' ? bodyOf(request) : request.query
  const written = fieldOf(asked, 'filter')
  const sortBy = fieldOf(asked, 'sortby')
  return {
    filter: written === undefined || written === '' ? undefined : readFilter(written, filters),
    startIndex: Math.max(1, numberOf(fieldOf(asked, 'startindex'), 'startIndex', 1)),
    count: Math.min(
      LIMITS.scimPage,
      Math.max(0, numberOf(fieldOf(asked, 'count'), 'count', LIMITS.scimPage)),
    ),
    sortBy: typeof sortBy === 'string' && sortBy !== '' ? attributeName(sortBy) : undefined,
    isDescending: String(fieldOf(asked, 'sortorder') ?? '').toLowerCase() === 'descending',
    choice: choiceOf(asked),
  }
}

function readFilter(written: unknown, filters: readonly string[]): Filter {
  if (typeof written !== 'string') throw badRequest('invalidFilter', 'filter must be a text, given once')
  const filter = parseFilter(written)
  const unknown = pathsOf(filter).find((path) => !filters.includes(path))
  if (unknown !== undefined) throw badRequest('invalidFilter', `no filter knows the attribute ${unknown}`)
  return filter
}

function numberOf(value: unknown, field: string, absent: number): number {
  if (value === undefined || value === '') return absent
  const number = Number(value)
  if (!Number.isSafeInteger(number) || Math.abs(number) > 2 ** 31)
    throw badRequest('invalidValue', `${field} must be a whole number`)
  return number
}
