import { LIMITS } from '../../../contract/limits.ts'
import * as contract from '../../../contract/org-units.ts'
import { addOrgUnitMembers, removeOrgUnitMembers } from '../../actions/members/org-units.ts'
import type { Caller } from '../../caller.ts'
import type { Transaction } from '../../db/transaction.ts'
import { refusal, tooMany } from '../../errors.ts'
import { ok } from '../../http/answers.ts'
import type { ConversationApi } from '../../http/conversation-api.ts'
import { cursors, cutPage } from '../../http/cursor.ts'
import { takeFromBudget } from '../../limits/budget.ts'
import type { Parley } from '../../parley.ts'
import { presentOrgUnit } from '../../presenters/org-units.ts'
import { listOrgUnits, type OrgUnitPosition, readOrgUnit } from '../../queries/members/org-units.ts'

export function orgUnitRoutes(api: ConversationApi): void {
  api.reads(contract.listOrgUnits, async ({ caller, db, query, parley }) => {
    const { limit = LIMITS.pageDefault, cursor } = query
    const list = cursors<null, OrgUnitPosition>(parley.secrets, caller, 'org-units')
    const place = cursor === undefined ? {} : list.read(cursor)
    const { items, last } = cutPage(await listOrgUnits(caller, db, { ...place, limit }), limit)
    return ok({
      orgUnits: items.map(presentOrgUnit),
      ...(last && { nextCursor: list.write({ filters: null, after: [last.created_at, last.id] }) }),
      hasMore: last !== undefined,
    })
  })

  api.reads(contract.readOrgUnit, async ({ caller, db, params }) => {
    const unit = await readOrgUnit(caller, db, params.orgUnitId)
    if (!unit) throw refusal('org_unit_not_found')
    return ok(presentOrgUnit(unit))
  })

  api.writes(contract.addOrgUnitMembers, async ({ caller, tx, params, body, parley }) => {
    const members = await addOrgUnitMembers(tx, caller, params.orgUnitId, body.memberIds)
    await spendChange(tx, caller, parley)
    return ok(members)
  })

  api.writes(contract.removeOrgUnitMembers, async ({ caller, tx, params, body, parley }) => {
    const members = await removeOrgUnitMembers(tx, caller, params.orgUnitId, body.memberIds)
    await spendChange(tx, caller, parley)
    return ok(members)
  })
}

/**
 * Comes last: a change refused for another reason has spent nothing by then, and where nothing is left the change
 * is undone with the transaction.
 */
async function spendChange(
  tx: Transaction,
  caller: Caller,
  { config, clock }: Pick<Parley, 'clock' | 'config'>,
): Promise<void> {
  const limit = config.orgUnitChangesPerMinute
  if (limit === 0) return
  const { granted, endsAt } = await takeFromBudget(tx, clock, `org-units:${caller.profileId}`, limit)
  if (granted === 0) throw tooMany(endsAt - clock())
}
