import * as contract from '../../../../contract/people/incoming-webhooks.ts'
import { requireBot } from '../../../actions/bots/bot-settings.ts'
import {
  changeIncomingWebhook,
  createIncomingWebhook,
  endFormerAddress,
  type MadeToken,
  requireIncoming,
  revokeIncomingWebhook,
  rotateAddress,
} from '../../../actions/bots/incoming-webhooks.ts'
import { actorOf } from '../../../actions/organization/audit.ts'
import type { Transaction } from '../../../db/transaction.ts'
import { refusal } from '../../../errors.ts'
import { created, noContent, ok } from '../../../http/answers.ts'
import type { PeopleApi } from '../../../http/people-api.ts'
import type { Parley } from '../../../parley.ts'
import { presentCall, presentIncomingWebhook } from '../../../presenters/incoming-webhooks.ts'
import {
  listCalls,
  listIncomingWebhooks,
  listTopicsOfBot,
  readIncomingWebhook,
} from '../../../queries/bots/incoming-webhooks.ts'

const HOUR_MS = 3_600_000

export function incomingWebhookRoutes(people: PeopleApi): void {
  people.reads(contract.listIncomingWebhooks, async ({ caller, db, params, parley }) => {
    const bot = await requireBot(caller, db, params.botId)
    const rows = await listIncomingWebhooks(caller, db, bot.id, parley.clock())
    return ok({
      incomingWebhooks: rows.map(presentIncomingWebhook),
      topics: await listTopicsOfBot(caller, db, bot.id),
    })
  })

  people.writes(contract.createIncomingWebhook, async ({ caller, tx, params, body, parley }) => {
    const made = await createIncomingWebhook(tx, parley, actorOf(caller), params.botId, body)
    return created(await shown(tx, parley, params.botId, made))
  })

  people.writes(contract.updateIncomingWebhook, async ({ caller, tx, params, body, parley }) => {
    const place = placeOf(params)
    await changeIncomingWebhook(tx, parley, actorOf(caller), place, body)
    return ok(presentIncomingWebhook(await requireIncoming(tx, place)))
  })

  people.writes(contract.rotateIncomingWebhook, async ({ caller, tx, params, body, parley }) => {
    const overlapMs = (body.overlapHours ?? 0) * HOUR_MS
    const made = await rotateAddress(tx, actorOf(caller), placeOf(params), overlapMs)
    return ok(await shown(tx, parley, params.botId, made))
  })

  people.writes(contract.endFormerAddress, async ({ caller, tx, params }) => {
    await endFormerAddress(tx, actorOf(caller), placeOf(params))
    return noContent()
  })

  people.writes(contract.revokeIncomingWebhook, async ({ caller, tx, params }) => {
    await revokeIncomingWebhook(tx, actorOf(caller), placeOf(params))
    return noContent()
  })

  people.reads(contract.listIncomingCalls, async ({ caller, db, params, parley }) => {
    const bot = await requireBot(caller, db, params.botId)
    const place = { id: params.incomingWebhookId, now: parley.clock() }
    const row = await readIncomingWebhook(caller, db, bot.id, place)
    if (!row) throw refusal('incoming_webhook_not_found')
    return ok({ calls: (await listCalls(caller, db, row.id)).map(presentCall) })
  })
}

const placeOf = ({ botId, incomingWebhookId }: { botId: string; incomingWebhookId: string }) => ({
  botId,
  id: incomingWebhookId,
})

/** The answer with the address, which is shown only once. */
async function shown(
  tx: Transaction,
  { config }: Pick<Parley, 'config'>,
  botId: string,
  { incomingWebhookId: id, token }: MadeToken,
) {
  const incomingWebhook = presentIncomingWebhook(await requireIncoming(tx, { botId, id }))
  return { incomingWebhook, url: `${config.baseUrl}/in/${token}` }
}
