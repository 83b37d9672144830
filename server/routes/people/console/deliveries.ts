import { LIMITS } from '../../../../contract/limits.ts'
import * as contract from '../../../../contract/people/bots.ts'
import { retryFailedDeliveries } from '../../../../contract/people/webhooks.ts'
import { actorOf } from '../../../actions/audit.ts'
import { requireBot } from '../../../actions/bot-settings.ts'
import { replayOne, replaySince, resumeBot, retryFailed, testWebhook } from '../../../actions/bot-webhooks.ts'
import type { Transaction } from '../../../db/transaction.ts'
import { notFound } from '../../../errors.ts'
import { created, noContent, ok } from '../../../http/answers.ts'
import { cursors } from '../../../http/cursor.ts'
import type { PeopleApi } from '../../../http/people-api.ts'
import { presentBot } from '../../../presenters/bots.ts'
import { presentBotEvent, presentDelivery, presentDeliveryDetail } from '../../../presenters/deliveries.ts'
import {
  type DeliveryFilters,
  pageDeliveries,
  readDelivery,
  readDeliverySource,
} from '../../../queries/deliveries.ts'
import { listLatestUpdates } from '../../../queries/updates.ts'

/** What goes out to bots. */
export function deliveryRoutes(people: PeopleApi): void {
  people.writes(contract.testWebhook, async ({ caller, tx, params }) =>
    created(await testWebhook(tx, actorOf(caller), params.botId)),
  )

  people.writes(contract.resumeBotWebhook, async ({ caller, tx, params }) => {
    await resumeBot(tx, actorOf(caller), params.botId)
    return ok(presentBot(await requireBot(caller, tx, params.botId)))
  })

  people.reads(contract.listBotDeliveries, async ({ caller, db, params, query, parley }) => {
    const { limit = LIMITS.pageDefault, cursor, ...filters } = query
    const bot = await requireBot(caller, db, params.botId)
    const list = cursors<DeliveryFilters, number>(parley.secrets, caller, `deliveries ${bot.id}`)
    const place = cursor === undefined ? { filters } : list.read(cursor)
    const wanted = { ...place.filters, ...('after' in place && { before: place.after }) }
    const { deliveries, more } = await pageDeliveries(
      { orgId: caller.orgId, botId: bot.id },
      db,
      wanted,
      limit,
    )
    return ok({
      deliveries: deliveries.map(presentDelivery),
      ...(more !== undefined && { nextCursor: list.write({ filters: place.filters, after: more }) }),
      hasMore: more !== undefined,
    })
  })

  people.acts(retryFailedDeliveries, async ({ caller, permitAgain, params, parley }) => {
    const bot = { orgId: caller.orgId, botId: params.botId }
    const whoActs = async (tx: Transaction) => actorOf(await permitAgain(tx))
    return ok({ count: await retryFailed(parley.db, bot, whoActs) })
  })

  people.reads(contract.readBotDelivery, async ({ caller, db, params, parley }) => {
    const { id: botId } = await requireBot(caller, db, params.botId)
    const bot = { orgId: caller.orgId, botId }
    const delivery = await readDelivery(bot, db, params.deliveryId)
    const source = delivery && (await readDeliverySource(bot, db, delivery.seq))
    if (!source) throw notFound('Delivery not found')
    return ok(presentDeliveryDetail(delivery, source, botId, parley))
  })

  people.writes(contract.replayBotDelivery, async ({ caller, tx, params }) => {
    await replayOne(tx, actorOf(caller), params.botId, params.deliveryId)
    return noContent()
  })

  people.acts(contract.replayBotDeliveries, async ({ caller, permitAgain, params, body, parley }) => {
    const bot = { orgId: caller.orgId, botId: params.botId }
    const whoActs = async (tx: Transaction) => actorOf(await permitAgain(tx))
    return ok({ count: await replaySince(parley.db, bot, body.from, whoActs) })
  })

  people.reads(contract.listBotEvents, async ({ caller, db, params, query, parley }) => {
    const { limit = LIMITS.pageDefault, after } = query
    const { id: profileId } = await requireBot(caller, db, params.botId)
    const events = await listLatestUpdates({ orgId: caller.orgId, profileId }, db, limit, after)
    return ok({ events: events.reverse().map((event) => presentBotEvent(event, parley)) })
  })
}
