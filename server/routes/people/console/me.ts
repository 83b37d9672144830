import { renameMyself } from '../../../../contract/people/session.ts'
import { renamePerson } from '../../../actions/members/people.ts'
import { actorOf } from '../../../actions/organization/audit.ts'
import { ok } from '../../../http/answers.ts'
import type { PeopleApi } from '../../../http/people-api.ts'
import { presentMembership } from '../../../presenters/accounts.ts'
import { listMemberships, type MembershipRow } from '../../../queries/accounts/accounts.ts'

export function ownRoutes(people: PeopleApi): void {
  people.writes(renameMyself, async ({ caller, tx, body, parley }) => {
    const isHere = ({ organizationId }: MembershipRow) => organizationId === caller.orgId
    const membership = (await listMemberships(tx, caller, tx.now())).find(isHere)
    if (!membership) throw new Error('a caller is a member')
    const { profileId: id, name } = membership
    await renamePerson(tx, actorOf(caller), { id, name }, body.name)
    return ok(presentMembership({ ...membership, name: body.name }, parley.links.for(caller)))
  })
}
