import * as contract from '../../../../contract/people/labels.ts'
import { actorOf } from '../../../actions/organization/audit.ts'
import { createLabel, deleteLabel, renameLabel } from '../../../actions/topics/labels.ts'
import { created, noContent, ok } from '../../../http/answers.ts'
import type { PeopleApi } from '../../../http/people-api.ts'
import { listLabelsWithUse } from '../../../queries/topics/labels.ts'

export function labelRoutes(people: PeopleApi): void {
  people.reads(contract.listConsoleLabels, async ({ caller, db }) =>
    ok({ labels: await listLabelsWithUse(caller, db) }),
  )

  people.writes(contract.createConsoleLabel, async ({ caller, tx, body }) =>
    created(await createLabel(tx, body.name, actorOf(caller))),
  )

  people.writes(contract.renameLabel, async ({ caller, tx, params, body }) =>
    ok(await renameLabel(tx, actorOf(caller), params.labelId, body.name)),
  )

  people.writes(contract.deleteLabel, async ({ caller, tx, params }) => {
    await deleteLabel(tx, actorOf(caller), params.labelId)
    return noContent()
  })
}
