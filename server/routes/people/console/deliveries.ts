import { LIMITS } from '../../../../contract/limits.ts'
import * as contract from '../../../../contract/people/bots.ts'
import { retryFailedDeliveries } from '../../../../contract/people/webhooks.ts'
import { permitBotContent } from '../../../actions/bots/bot-content.ts'
import { requireBot } from '../../../actions/bots/bot-settings.ts'
import {
  replayOne,
  replaySince,
  resumeBot,
  retryFailed,
  testWebhook,
} from '../../../actions/bots/bot-webhooks.ts'
import { actorOf } from '../../../actions/organization/audit.ts'
import type { Caller } from '../../../caller.ts'
import type { Queryable } from '../../../db/database.ts'
import type { Transaction } from '../../../db/transaction.ts'
import { refusal } from '../../../errors.ts'
import { created, noContent, ok } from '../../../http/answers.ts'
import { cursors } from '../../../http/cursor.ts'
import type { PeopleApi } from '../../../http/people-api.ts'
import { presentBot } from '../../../presenters/bots.ts'
import { presentBotEvent, presentDelivery, presentDeliveryDetail } from '../../../presenters/deliveries.ts'
import type { BotRow } from '../../../queries/bots/bots.ts'
import {
  type Bot,
  type DeliveryFilters,
  pageDeliveries,
  queueId,
  readDelivery,
  readDeliverySource,
} from '../../../queries/bots/deliveries.ts'
import { EVERYTHING_SHOWN, isShownTo, type ShownCondition } from '../../../queries/events/shown-events.ts'
import { listShownUpdates } from '../../../queries/events/updates.ts'

export function deliveryRoutes(people: PeopleApi): void {
  people.writes(contract.testWebhook, async ({ caller, tx, params, query }) =>
    created(await testWebhook(tx, actorOf(caller), { botId: params.botId, addressId: query.address })),
  )

  people.writes(contract.resumeBotWebhook, async ({ caller, tx, params, query }) => {
    await resumeBot(tx, actorOf(caller), { botId: params.botId, addressId: query.address })
    return ok(presentBot(await requireBot(caller, tx, params.botId)))
  })

  people.reads(contract.listBotDeliveries, async ({ caller, db, params, query, parley }) => {
    const { limit = LIMITS.pageDefault, cursor, address: addressId, ...filters } = query
    const bot = await requireBot(caller, db, params.botId)
    const place = placeOf(caller, bot, addressId)
    const list = cursors<DeliveryFilters, number>(parley.secrets, caller, `deliveries ${queueId(place)}`)
    const start = cursor === undefined ? { filters } : list.read(cursor)
    const wanted = { ...start.filters, ...('after' in start && { before: start.after }) }
    const { deliveries, more } = await pageDeliveries(place, db, wanted, limit)
    return ok({
      deliveries: deliveries.map(presentDelivery),
      ...(more !== undefined && { nextCursor: list.write({ filters: start.filters, after: more }) }),
      hasMore: more !== undefined,
    })
  })

  people.acts(retryFailedDeliveries, async ({ caller, permitAgain, params, query, parley }) => {
    const row = await requireBot(caller, parley.db, params.botId)
    const bot = placeOf(caller, row, query.address)
    const whoActs = async (tx: Transaction) => actorOf(await permitAgain(tx))
    return ok({ count: await retryFailed(parley.db, bot, whoActs) })
  })

  people.reads(contract.readBotDelivery, async ({ caller, db, params, parley }) => {
    const { id: botId } = await requireBot(caller, db, params.botId)
    const { delivery, source } = await deliveryOf(db, caller, { ...params, botId }, isShownTo(caller))
    return ok(presentDeliveryDetail(delivery, source, { ...parley, link: parley.links.for(caller) }))
  })

  people.writes(contract.readDeliveryContent, async ({ caller, tx, params, parley }) => {
    const bot = await permitBotContent(tx, caller, params.botId)
    const { delivery, source } = await deliveryOf(tx, caller, { ...params, botId: bot.id }, EVERYTHING_SHOWN)
    await bot.tell({ deliveryId: delivery.id, eventId: delivery.eventId })
    return ok(presentDeliveryDetail(delivery, source, { ...parley, link: parley.links.for(caller) }))
  })

  people.writes(contract.replayBotDelivery, async ({ caller, tx, params }) => {
    await replayOne(tx, actorOf(caller), params.botId, params.deliveryId)
    return noContent()
  })

  people.acts(contract.replayBotDeliveries, async ({ caller, permitAgain, params, query, body, parley }) => {
    const row = await requireBot(caller, parley.db, params.botId)
    const bot = placeOf(caller, row, query.address)
    const whoActs = async (tx: Transaction) => actorOf(await permitAgain(tx))
    return ok({ count: await replaySince(parley.db, bot, body.from, whoActs) })
  })

  people.reads(contract.listBotEvents, async ({ caller, db, params, query, parley }) => {
    const { limit = LIMITS.pageDefault, after } = query
    const { id: profileId } = await requireBot(caller, db, params.botId)
    const asked = { limit, after, isShown: isShownTo(caller) }
    const events = await listShownUpdates({ orgId: caller.orgId, profileId }, db, asked)
    const link = parley.links.for(caller)
    return ok({ events: events.reverse().map((event) => presentBotEvent(event, link)) })
  })

  people.writes(contract.readBotContent, async ({ caller, tx, params, body, parley }) => {
    const { limit = LIMITS.pageDefault, after } = body
    const bot = await permitBotContent(tx, caller, params.botId)
    const asked = { limit, after, isShown: EVERYTHING_SHOWN }
    const events = await listShownUpdates({ orgId: caller.orgId, profileId: bot.id }, tx, asked)
    await bot.tell({ events: events.length, firstNumber: events[0]?.seq, lastNumber: events.at(-1)?.seq })
    const link = parley.links.for(caller)
    return ok({ events: events.reverse().map((event) => presentBotEvent(event, link)) })
  })
}

async function deliveryOf(
  db: Queryable,
  { orgId }: Pick<Caller, 'orgId'>,
  { botId, deliveryId }: { botId: string; deliveryId: string },
  isShown: ShownCondition,
) {
  const bot = { orgId, botId }
  const delivery = await readDelivery(bot, db, deliveryId)
  const place = { ...bot, addressId: delivery?.addressId }
  const source = delivery && (await readDeliverySource(place, db, { seq: delivery.seq, isShown }))
  if (!source) throw refusal('delivery_not_found')
  return { delivery, source }
}

/** A bot's address: its first one by default. */
function placeOf({ orgId }: Pick<Caller, 'orgId'>, bot: BotRow, addressId: string | undefined): Bot {
  if (addressId === undefined) return { orgId, botId: bot.id }
  if (!bot.addresses.some(({ id }) => id === addressId)) throw refusal('webhook_address_not_found')
  return { orgId, botId: bot.id, addressId }
}
