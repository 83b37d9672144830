import { LIMITS } from '../../../../contract/limits.ts'
import * as contract from '../../../../contract/people/bots.ts'
import { endFormerSecret } from '../../../../contract/people/webhooks.ts'
import {
  changeBot,
  createBot,
  endOverlap,
  removeBot,
  replaceKey,
  replaceSecret,
  requireBot,
} from '../../../actions/bots/bot-settings.ts'
import { actorOf } from '../../../actions/organization/audit.ts'
import { addTopicMembers } from '../../../actions/topics/topics.ts'
import { explainSignature } from '../../../auth/signature-check.ts'
import type { Caller } from '../../../caller.ts'
import type { Queryable } from '../../../db/database.ts'
import { refusal } from '../../../errors.ts'
import { created, noContent, ok } from '../../../http/answers.ts'
import { readListPage } from '../../../http/list-pages.ts'
import type { PeopleApi } from '../../../http/people-api.ts'
import { distinctIds } from '../../../ids.ts'
import { dayOf, readUsed } from '../../../limits/bot-budgets.ts'
import { presentBot, presentListedBot } from '../../../presenters/bots.ts'
import { countAnswers } from '../../../queries/bots/answers.ts'
import {
  type BotFilters,
  countBots,
  listBots,
  readActivity,
  readSealedSecrets,
} from '../../../queries/bots/bots.ts'

const HOUR_MS = 3_600_000

export function botRoutes(people: PeopleApi): void {
  people.reads(contract.listBots, async ({ caller, db, query, parley }) => {
    const { limit = LIMITS.pageDefault, cursor, search, state, sort = 'createdAt', order = 'asc' } = query
    const filters: BotFilters = { ...(search && { search }), ...(state && { state }), sort, order }
    const { rows, ...page } = await readListPage(
      { secrets: parley.secrets, caller, list: 'bots' },
      { cursor, filters, limit },
      {
        read: (...asked) => listBots(db, caller, ...asked),
        count: (asked) => countBots(caller, db, asked),
      },
    )
    const told = rows.filter(({ delivery }) => delivery === 'webhook').map(({ id }) => id)
    const activity = await readActivity(caller, db, told, parley.clock())
    return ok({ bots: rows.map((row) => presentListedBot(row, activity.get(row.id))), ...page })
  })

  people.writes(contract.createBot, async ({ caller, tx, body, parley }) => {
    const { topicIds = [], reach, ...wanted } = body
    const { botId, ...credentials } = await createBot(tx, parley, actorOf(caller), wanted)
    for (const topicId of distinctIds(topicIds)) await addTopicMembers(tx, caller, topicId, [botId], reach)
    return created({ bot: await shown(caller, tx, botId, parley.clock()), ...credentials })
  })

  people.reads(contract.readBot, async ({ caller, db, params, parley }) =>
    ok(await shown(caller, db, params.botId, parley.clock())),
  )

  people.reads(contract.countBotAnswers, async ({ caller, db, params: { botId }, parley }) => {
    await requireBot(caller, db, botId)
    return ok({ answers: await countAnswers(caller, db, botId, parley.clock()) })
  })

  people.writes(contract.updateBot, async ({ caller, tx, params, body, parley }) => {
    await changeBot(tx, parley, actorOf(caller), params.botId, body)
    return ok(await shown(caller, tx, params.botId, parley.clock()))
  })

  people.writes(contract.rotateBotSecret, async ({ caller, tx, params, body, parley }) => {
    const overlapMs = (body.overlapHours ?? 0) * HOUR_MS
    const actor = actorOf(caller)
    const { botId, ...credentials } = await replaceSecret(tx, parley, actor, params.botId, overlapMs)
    return ok({ bot: await shown(caller, tx, botId, parley.clock()), ...credentials })
  })

  people.writes(endFormerSecret, async ({ caller, tx, params }) => {
    await endOverlap(tx, actorOf(caller), params.botId)
    return noContent()
  })

  people.writes(contract.replaceBotKey, async ({ caller, tx, params, parley }) => {
    const { botId, ...credentials } = await replaceKey(tx, parley, actorOf(caller), params.botId)
    return ok({ bot: await shown(caller, tx, botId, parley.clock()), ...credentials })
  })

  people.writes(contract.deleteBot, async ({ caller, tx, params }) => {
    await removeBot(tx, actorOf(caller), params.botId)
    return noContent()
  })

  people.reads(contract.checkSignature, async ({ caller, db, params, body, parley }) => {
    const { id, credential, signatureVersion } = await requireBot(caller, db, params.botId)
    if (body.kind === 'request' && credential === 'oauth') throw refusal('bot_signs_nothing')
    const now = parley.clock()
    const context = { baseUrl: parley.config.baseUrl, now, leastVersion: signatureVersion }
    const checks = (await readSealedSecrets(caller, db, id, now)).map((sealed) =>
      explainSignature(parley.secrets.decrypt(sealed, id), body, context),
    )
    const [check] = [...checks.filter(({ matches }) => matches), ...checks]
    if (!check) throw new Error('a bot has a secret')
    return ok(check)
  })
}

/** The bot with its usage of today. */
async function shown({ orgId }: Pick<Caller, 'orgId'>, db: Queryable, botId: string, now: number) {
  return presentBot(await requireBot({ orgId }, db, botId), await readUsed(db, { orgId, botId }, dayOf(now)))
}
