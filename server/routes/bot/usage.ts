import * as contract from '../../../contract/usage.ts'
import { reportTokens } from '../../actions/bots/bot-budgets.ts'
import type { BotCaller } from '../../auth/bots.ts'
import type { Queryable } from '../../db/database.ts'
import { ok } from '../../http/answers.ts'
import type { BotApi } from '../../http/bot-api.ts'
import { wireOf } from '../../http/wire.ts'
import { writeOnce } from '../../idempotency/kept-answers.ts'
import { dayOf, endOfDay, readUsed } from '../../limits/bot-budgets.ts'

const reportWire = wireOf(contract.reportUsage)

export function usageRoutes(bots: BotApi): void {
  bots.reads(contract.readUsage, async ({ caller, db, parley }) =>
    ok(await usageOf(caller, db, parley.clock())),
  )

  bots.batches(contract.reportUsage, async ({ caller, body, parley, repeat }) => {
    const answer = await parley.db.writeAs(caller, (tx) =>
      writeOnce(tx, parley.secrets, repeat, async () => {
        await reportTokens(tx, parley, caller, body.tokens)
        return reportWire.write(ok(await usageOf(caller, tx, parley.clock())))
      }),
    )
    parley.botBudgets.forget(caller.identity)
    return answer
  })
}

async function usageOf({ identity }: BotCaller, db: Queryable, now: number) {
  const { messagesPerDay = null, tokensPerDay = null } = identity.budget ?? {}
  return {
    ...(await readUsed(db, identity, dayOf(now))),
    ...(messagesPerDay !== null && { messagesPerDay }),
    ...(tokensPerDay !== null && { tokensPerDay }),
    endsAt: endOfDay(dayOf(now)),
  }
}
