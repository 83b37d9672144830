import * as contract from '../../../contract/labels.ts'
import { actorOf } from '../../actions/audit.ts'
import { createLabel } from '../../actions/labels.ts'
import { created, ok } from '../../http/answers.ts'
import type { BotApi } from '../../http/bot-api.ts'
import { listLabels } from '../../queries/labels.ts'

export function labelRoutes(bots: BotApi): void {
  bots.writes(contract.createLabel, async ({ caller, tx, body }) =>
    created(await createLabel(tx, body.name, actorOf(caller))),
  )

  bots.reads(contract.listLabels, async ({ caller, db }) => ok({ labels: await listLabels(caller, db) }))
}
