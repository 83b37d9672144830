import { LIMITS } from '../../../../contract/limits.ts'
import * as invitations from '../../../../contract/people/invitations.ts'
import * as contract from '../../../../contract/people/members.ts'
import { askForInvitations, stopInvitations } from '../../../actions/members/asked-invitations.ts'
import {
  changePeople,
  changePerson,
  endPersonSessions,
  inviteAgain,
  invitePeople,
  invitePerson,
  makeInvitationLink,
  resetPersonSecondFactor,
} from '../../../actions/members/people.ts'
import type { Caller } from '../../../caller.ts'
import type { Queryable } from '../../../db/database.ts'
import { refusal } from '../../../errors.ts'
import { created, noContent, ok } from '../../../http/answers.ts'
import { readListPage } from '../../../http/list-pages.ts'
import type { PeopleApi } from '../../../http/people-api.ts'
import { presentPerson } from '../../../presenters/people.ts'
import { countInvitations } from '../../../queries/members/invitations.ts'
import { countPeople, listPeople, type PeopleFilters, readPerson } from '../../../queries/members/people.ts'

export function memberRoutes(people: PeopleApi): void {
  people.reads(contract.listPeople, async ({ caller, db, query, parley }) => {
    const {
      limit = LIMITS.pageDefault,
      cursor,
      status,
      role,
      search,
      sort = 'createdAt',
      order = 'asc',
    } = query
    const filters: PeopleFilters = {
      statuses: status ? [status] : ['Pending', 'Active', 'Archived'],
      ...(role && { role }),
      ...(search && { search }),
      sort,
      order,
    }
    const { rows, ...page } = await readListPage(
      { secrets: parley.secrets, caller, list: 'people' },
      { cursor, filters, limit },
      {
        read: (...asked) => listPeople(db, caller, ...asked),
        count: (asked) => countPeople(caller, db, asked),
      },
    )
    return ok({ members: rows.map(presentPerson), ...page })
  })

  people.writes(contract.invitePerson, async ({ caller, tx, body, parley }) => {
    const id = await invitePerson(tx, parley, caller, body)
    return created(await personOf(caller, tx, id))
  })

  people.writes(contract.invitePeople, async ({ caller, tx, body, parley }) =>
    ok({ results: await invitePeople(tx, parley, caller, body) }),
  )

  people.reads(invitations.readInvitations, async ({ caller, db, query, parley }) =>
    ok(await countInvitations(caller, db, query, parley.clock())),
  )

  people.writes(invitations.inviteMissing, async ({ caller, tx, body }) => {
    await askForInvitations(tx, caller, body)
    const { expired: _expired, ...filters } = body
    return ok(await countInvitations(caller, tx, filters, tx.now()))
  })

  people.writes(invitations.stopInvitations, async ({ caller, tx }) => {
    await stopInvitations(tx, caller)
    return noContent()
  })

  people.writes(contract.changePeople, async ({ caller, tx, body }) => {
    const { memberIds, ...changes } = body
    return ok({ results: await changePeople(tx, caller, memberIds, changes) })
  })

  people.writes(contract.inviteAgain, async ({ caller, tx, params, parley }) => {
    await inviteAgain(tx, parley, caller, params.memberId)
    return ok(await personOf(caller, tx, params.memberId))
  })

  people.writes(contract.makeInvitationLink, async ({ caller, tx, params, parley }) =>
    ok(await makeInvitationLink(tx, parley, caller, params.memberId)),
  )

  people.writes(contract.updatePerson, async ({ caller, tx, params, body }) => {
    await changePerson(tx, caller, params.memberId, body)
    return ok(await personOf(caller, tx, params.memberId))
  })

  people.writes(contract.endPersonSessions, async ({ caller, tx, params }) => {
    await endPersonSessions(tx, caller, params.memberId)
    return noContent()
  })

  people.writes(contract.resetSecondFactor, async ({ caller, tx, params, parley }) => {
    await resetPersonSecondFactor(tx, parley, caller, params.memberId)
    return noContent()
  })
}

async function personOf(caller: Caller, db: Queryable, personId: string) {
  const person = await readPerson(caller, db, personId)
  if (!person) throw refusal('member_not_found')
  return presentPerson(person)
}
