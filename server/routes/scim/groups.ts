import type { FastifyInstance, FastifyRequest } from 'fastify'
import { LIMITS } from '../../../contract/limits.ts'
import { changeScimGroup, createScimGroup, deleteScimGroup } from '../../actions/members/scim-groups.ts'
import type { ServiceCaller } from '../../auth/service-tokens.ts'
import type { Queryable } from '../../db/database.ts'
import {
  findScimGroups,
  listGroupsOfPerson,
  listScimGroups,
  readPeopleOfGroups,
  readScimGroup,
  type SizedGroup,
} from '../../queries/members/scim-groups.ts'
import type { Filter } from '../../scim/filter.ts'
import {
  GROUP_FILTERS,
  type GroupDraft,
  type GroupRow,
  groupOf,
  readGroup,
  readGroupPatch,
} from '../../scim/groups.ts'
import { matches, pathsOf, requiredValue } from '../../scim/match.ts'
import { readOperations } from '../../scim/patch.ts'
import { badRequest } from '../../scim/refusal.ts'
import {
  checkVersion,
  choiceOf,
  choose,
  isChosen,
  type Page,
  type Shown,
  sendPage,
  sendResource,
  withMeta,
} from './answers.ts'
import { type Listing, readListing } from './listing.ts'
import { baseOf, bodyOf, callerOf, idOf, notFound, type ScimParts, takeScan } from './request.ts'

const WITHOUT_MEMBERS = { only: [], without: ['members'] }

/** Org units of the organization of the token. */
export function scimGroupRoutes(app: FastifyInstance, parley: ScimParts): void {
  const { db } = parley

  /** Members are no part of a version: it follows from the time of the last change, which none shares with another. */
  const shown = (row: GroupRow): Shown => {
    const base = baseOf(parley)
    const { members, ...plain } = row
    const { meta } = withMeta(groupOf(plain, base), row, { resourceType: 'Group', path: 'Groups', base })
    return { ...groupOf(row, base), id: row.id, meta }
  }

  const withMembers = async (caller: ServiceCaller, row: SizedGroup): Promise<GroupRow> => ({
    ...row,
    members: (await readPeopleOfGroups(caller, db, [row.id])).get(row.id) ?? [],
  })

  const list = async (request: FastifyRequest) => {
    const caller = callerOf(request)
    return listGroups(parley, caller, readListing(request, GROUP_FILTERS), shown)
  }
  app.get('/Groups', async (request, reply) => sendPage(reply, await list(request)))
  app.post('/Groups/.search', async (request, reply) => sendPage(reply, await list(request)))

  app.get('/Groups/:id', async (request, reply) => {
    const caller = callerOf(request)
    const row = await requireGroup(caller, db, idOf(request))
    const hasMembers = isChosen('members', choiceOf(request.query))
    return sendResource(request, reply, shown(hasMembers ? await withMembers(caller, row) : row))
  })

  app.post('/Groups', async (request, reply) => {
    const draft = readGroup(bodyOf(request))
    const made = await db.writeAs(callerOf(request), async (tx, caller) =>
      requireGroup(caller, tx, await createScimGroup(tx, caller, draft)),
    )
    return sendResource(request, reply, shown(await withMembers(callerOf(request), made)), 201)
  })

  const change = async (request: FastifyRequest, draft: GroupDraft): Promise<SizedGroup> => {
    const id = idOf(request)
    return db.writeAs(callerOf(request), async (tx, caller) => {
      const before = await requireGroup(caller, tx, id)
      checkVersion(request, shown(before))
      await changeScimGroup(tx, caller, before, draft)
      return requireGroup(caller, tx, id)
    })
  }
  app.put('/Groups/:id', async (request, reply) => {
    const row = await change(request, readGroup(bodyOf(request)))
    return sendResource(request, reply, shown(await withMembers(callerOf(request), row)))
  })
  // A group may have thousands of members: they are not sent back where one of them came or went.
  app.patch('/Groups/:id', async (request, reply) => {
    const row = await change(request, readGroupPatch(readOperations(bodyOf(request))))
    return reply.header('ETag', shown(row).meta.version).code(204).send()
  })

  app.delete('/Groups/:id', async (request, reply) => {
    const id = idOf(request)
    await db.writeAs(callerOf(request), async (tx, caller) => {
      const group = await requireGroup(caller, tx, id)
      checkVersion(request, shown(group))
      await deleteScimGroup(tx, caller, group)
    })
    return reply.code(204).send()
  })
}

async function requireGroup(caller: ServiceCaller, db: Queryable, id: string): Promise<SizedGroup> {
  const row = await readScimGroup(caller, db, id)
  if (!row) throw notFound()
  return row
}

const SORTS = ['displayname', 'externalid', 'id', 'meta.created', 'meta.lastmodified']

async function listGroups(
  parley: ScimParts,
  caller: ServiceCaller,
  { filter, sortBy = 'meta.created', isDescending, startIndex, count, choice }: Listing,
  shown: (row: GroupRow) => Shown,
): Promise<Page> {
  if (!SORTS.includes(sortBy)) throw badRequest('invalidValue', `no list is sorted by ${sortBy}`)
  const found = sorted(await findGroups(parley, caller, filter, shown), sortBy, isDescending)
  const page = found.slice(startIndex - 1, startIndex - 1 + count)
  if (!isChosen('members', choice)) return pageOf(page.map((row) => choose(shown(row), WITHOUT_MEMBERS)))
  const fitting = page.slice(0, howManyFit(page))
  const people = await readPeopleOfGroups(
    caller,
    parley.db,
    fitting.map(({ id }) => id),
  )
  return pageOf(fitting.map((row) => shown({ ...row, members: people.get(row.id) ?? [] })))

  function pageOf(resources: Shown[] | Record<string, unknown>[]): Page {
    return { total: found.length, startIndex, resources: resources.map((one) => choose(one, choice)) }
  }
}

/** A page has one group at least, and further ones while their members are not too many together. */
function howManyFit(groups: readonly SizedGroup[]): number {
  let members = 0
  const tooMuch = groups.findIndex(({ size }, place) => {
    members += size
    return place > 0 && members > LIMITS.scimPageMembers
  })
  return tooMuch === -1 ? groups.length : tooMuch
}

/**
 * Groups that a filter means. Members are read where it asks for more of them than one person: an index finds the groups of a person.
 */
async function findGroups(
  parley: ScimParts,
  caller: ServiceCaller,
  filter: Filter | undefined,
  shown: (row: GroupRow) => Shown,
): Promise<SizedGroup[]> {
  const { db } = parley
  if (!filter) {
    await takeScan(parley, caller)
    return listScimGroups(caller, db)
  }
  const person = requiredValue(filter, ['members', 'members.value'])
  const candidates = await candidatesOf(caller, db, filter, person)
  const asksForMembers = pathsOf(filter).some((path) => path.startsWith('members'))
  if (!asksForMembers) return candidates.filter((row) => matches(shown(row), filter))
  if (person === undefined) throw badRequest('invalidFilter', 'members can be compared with eq alone')
  const members = [{ id: person.toLowerCase(), name: '' }]
  return candidates.filter((row) => matches(shown({ ...row, members }), filter))

  async function candidatesOf(
    ...[who, from, wanted, member]: [ServiceCaller, Queryable, Filter, string | undefined]
  ) {
    if (member !== undefined) return listGroupsOfPerson(who, from, member.toLowerCase())
    const name = requiredValue(wanted, ['displayname'])
    if (name !== undefined) return findScimGroups(who, from, 'displayName', name)
    const externalId = requiredValue(wanted, ['externalid'])
    if (externalId !== undefined) return findScimGroups(who, from, 'externalId', externalId)
    await takeScan(parley, who)
    return listScimGroups(who, from)
  }
}

function sorted(rows: readonly SizedGroup[], sortBy: string, isDescending: boolean): SizedGroup[] {
  const keys: Record<string, (row: SizedGroup) => string | number> = {
    displayname: ({ name }) => name.toLowerCase(),
    externalid: ({ externalId }) => externalId ?? '',
    id: ({ id }) => id,
    'meta.lastmodified': ({ updatedAt }) => updatedAt,
  }
  const keyOf = keys[sortBy] ?? (({ createdAt }: SizedGroup) => createdAt)
  const inOrder = rows.toSorted((one, other) => {
    const [key, next] = [keyOf(one), keyOf(other)]
    return key < next ? -1 : key > next ? 1 : 0
  })
  return isDescending ? inOrder.reverse() : inOrder
}
