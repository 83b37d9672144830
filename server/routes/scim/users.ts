import type { FastifyInstance, FastifyRequest } from 'fastify'
import { changeScimPerson, createScimPerson, deleteScimPerson } from '../../actions/members/scim-people.ts'
import type { ServiceCaller } from '../../auth/service-tokens.ts'
import type { Queryable } from '../../db/database.ts'
import {
  countScimPeople,
  type FOUND_BY,
  findScimPeople,
  isPeopleSort,
  listScimPeople,
  listScimPeopleAfter,
  readScimPerson,
} from '../../queries/members/scim-people.ts'
import type { Filter } from '../../scim/filter.ts'
import { matches, requiredValue, valuesAt } from '../../scim/match.ts'
import { readOperations } from '../../scim/patch.ts'
import { badRequest } from '../../scim/refusal.ts'
import { readUser, readUserPatch, USER_FILTERS, type UserRow, userOf } from '../../scim/users.ts'
import { checkVersion, choose, type Page, type Shown, sendPage, sendResource, withMeta } from './answers.ts'
import { type Listing, readListing } from './listing.ts'
import { baseOf, bodyOf, callerOf, idOf, notFound, type ScimParts, takeScan } from './request.ts'

/** People of the organization of the token. */
export function scimUserRoutes(app: FastifyInstance, parley: ScimParts): void {
  const shown = (row: UserRow): Shown => {
    const base = baseOf(parley)
    return withMeta(userOf(row, base), row, { resourceType: 'User', path: 'Users', base })
  }

  const list = async (request: FastifyRequest) => {
    const caller = callerOf(request)
    return listUsers(parley, caller, readListing(request, USER_FILTERS), shown)
  }
  app.get('/Users', async (request, reply) => sendPage(reply, await list(request)))
  app.post('/Users/.search', async (request, reply) => sendPage(reply, await list(request)))

  app.get('/Users/:id', async (request, reply) => {
    const row = await requirePerson(callerOf(request), parley.db, idOf(request))
    return sendResource(request, reply, shown(row))
  })

  app.post('/Users', async (request, reply) => {
    const draft = readUser(bodyOf(request))
    const row = await parley.db.writeAs(callerOf(request), async (tx, caller) =>
      requirePerson(caller, tx, await createScimPerson(tx, parley, caller, draft)),
    )
    return sendResource(request, reply, shown(row), 201)
  })

  const change = async (request: FastifyRequest, draftFor: (row: UserRow) => ReturnType<typeof readUser>) => {
    const id = idOf(request)
    const row = await parley.db.writeAs(callerOf(request), async (tx, caller) => {
      const before = await requirePerson(caller, tx, id)
      checkVersion(request, shown(before))
      await changeScimPerson(tx, parley, caller, before, draftFor(before))
      return requirePerson(caller, tx, id)
    })
    await parley.notifications.caughtUp() // this node forgets the sessions that ended before it answers
    return row
  }
  app.put('/Users/:id', async (request, reply) => {
    const draft = readUser(bodyOf(request))
    return sendResource(request, reply, shown(await change(request, () => draft)))
  })
  app.patch('/Users/:id', async (request, reply) => {
    const operations = readOperations(bodyOf(request))
    const row = await change(request, (before) => readUserPatch(userOf(before, baseOf(parley)), operations))
    return sendResource(request, reply, shown(row))
  })

  app.delete('/Users/:id', async (request, reply) => {
    const id = idOf(request)
    await parley.db.writeAs(callerOf(request), async (tx, caller) => {
      const person = await requirePerson(caller, tx, id)
      checkVersion(request, shown(person))
      await deleteScimPerson(tx, caller, person)
    })
    await parley.notifications.caughtUp()
    return reply.code(204).send()
  })
}

async function requirePerson(caller: ServiceCaller, db: Queryable, id: string): Promise<UserRow> {
  const row = await readScimPerson(caller, db, id)
  if (!row) throw notFound()
  return row
}

/** Attributes by which an index finds the few people that a filter can mean. */
const INDEXED: readonly (readonly [by: keyof typeof FOUND_BY, paths: readonly string[]])[] = [
  ['id', ['id']],
  ['userName', ['username']],
  ['email', ['emails', 'emails.value']],
  ['externalId', ['externalid']],
]

async function listUsers(
  parley: ScimParts,
  caller: ServiceCaller,
  { filter, sortBy, startIndex, count, isDescending, choice }: Listing,
  shown: (row: UserRow) => Shown,
): Promise<Page> {
  const { db } = parley
  const offset = startIndex - 1
  const cut = (rows: readonly UserRow[]) => rows.map((row) => choose(shown(row), choice))
  const sort = (sortBy ?? 'meta.created').replace(/^(meta|name|emails)\.?/, '') || 'username'
  if (!isPeopleSort(sort)) throw badRequest('invalidValue', `no list is sorted by ${sortBy}`)
  if (!filter) {
    const total = await countScimPeople(caller, db)
    const page = { sort, isDescending, offset, limit: count }
    const rows = count === 0 ? [] : await listScimPeople(caller, db, page)
    return { total, startIndex, resources: cut(rows) }
  }
  const found = sorted(await findUsers(parley, caller, filter), sortBy, isDescending)
  return { total: found.length, startIndex, resources: cut(found.slice(offset, offset + count)) }
}

async function findUsers(parley: ScimParts, caller: ServiceCaller, filter: Filter): Promise<UserRow[]> {
  const isMeant = (row: UserRow) => matches({ ...userOf(row, ''), meta: timesOf(row) }, filter)
  for (const [by, paths] of INDEXED) {
    const value = requiredValue(filter, paths)
    if (value !== undefined) return (await findScimPeople(caller, parley.db, by, value)).filter(isMeant)
  }
  await takeScan(parley, caller)
  const found: UserRow[] = []
  for (let after = ''; ; ) {
    const rows = await listScimPeopleAfter(caller, parley.db, after, SCANNED_TOGETHER)
    found.push(...rows.filter(isMeant))
    const last = rows.at(-1)
    if (!last || rows.length < SCANNED_TOGETHER) return found
    after = last.id
  }
}

/** People read at once where no index finds those that a filter means; other requests are served in between. */
const SCANNED_TOGETHER = 500

const timesOf = ({ createdAt, updatedAt }: UserRow) => ({
  created: new Date(createdAt).toISOString(),
  lastModified: new Date(updatedAt).toISOString(),
})

function sorted(rows: readonly UserRow[], sortBy: string | undefined, isDescending: boolean): UserRow[] {
  const keyOf = (row: UserRow): string | number =>
    sortBy === undefined || sortBy === 'meta.created'
      ? row.createdAt
      : String(valuesAt({ ...userOf(row, ''), meta: timesOf(row) }, sortBy)[0] ?? '').toLowerCase()
  const keyed = rows.map((row) => ({ row, key: keyOf(row) }))
  keyed.sort((one, other) => (one.key < other.key ? -1 : one.key > other.key ? 1 : 0))
  if (isDescending) keyed.reverse()
  return keyed.map(({ row }) => row)
}
