import * as contract from '../../../contract/labels.ts'
import { actorOf } from '../../actions/organization/audit.ts'
import { createLabel } from '../../actions/topics/labels.ts'
import { created, ok } from '../../http/answers.ts'
import type { ConversationApi } from '../../http/conversation-api.ts'
import { listLabels } from '../../queries/topics/labels.ts'

export function labelRoutes(api: ConversationApi): void {
  api.writes(contract.createLabel, async ({ caller, tx, body }) =>
    created(await createLabel(tx, body.name, actorOf(caller))),
  )

  api.reads(contract.listLabels, async ({ caller, db }) => ok({ labels: await listLabels(caller, db) }))
}
