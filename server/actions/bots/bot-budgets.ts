import type { Caller } from '../../caller.ts'
import { sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/transaction.ts'
import { type BotBudget, dayOf, isNearlySpent, type Used } from '../../limits/bot-budgets.ts'
import { queueMail } from '../../mail/queue.ts'
import { asIs, mailWords } from '../../mail/words.ts'
import type { Parley } from '../../parley.ts'
import { audit, SERVER } from '../organization/audit.ts'
import { readAnswerablePeople } from './bot-people.ts'

/** Days are those of the nodes' clock: an organization's own runs ahead where that was put back. */
type Parts = Pick<Parley, 'secrets' | 'config' | 'clock'>

/** Adds tokens that a bot says it has used, and tells people where its budget is nearly spent by that. */
export async function reportTokens(
  tx: Transaction,
  parts: Parts,
  { profileId: botId }: Caller,
  tokens: number,
): Promise<void> {
  await tx.query(sql`
    insert into bot_usage as u (org_id, bot_id, day, tokens) values (${tx.orgId}, ${botId}, ${dayOf(parts.clock())}, ${tokens})
    on conflict (org_id, bot_id, day) do update set tokens = u.tokens + excluded.tokens`)
  await tellNearlySpent(tx, parts, botId)
}

type UsageRow = Used & BotBudget & { name: string; toldMessages: number | null; toldTokens: number | null }

/** Tells the bot's owner and admins once, for each budget, that most of it is used. */
export async function tellNearlySpent(
  tx: Transaction,
  { secrets, config, clock }: Parts,
  botId: string,
): Promise<void> {
  const here = sql`u.org_id = ${tx.orgId} and u.bot_id = ${botId} and u.day = ${dayOf(clock())}`
  const [row] = await tx.query<UsageRow>(sql`
    select p.name, u.messages, u.tokens, u.told_messages as "toldMessages", u.told_tokens as "toldTokens",
      b.messages_per_day as "messagesPerDay", b.tokens_per_day as "tokensPerDay"
    from bot_usage u
    join bots b on b.org_id = u.org_id and b.id = u.bot_id
    join profiles p on p.org_id = u.org_id and p.id = u.bot_id
    where ${here}`)
  if (!row) return
  const { name, messages, tokens, messagesPerDay, tokensPerDay } = row
  const isNear = (budget: Partial<BotBudget>) =>
    isNearlySpent(row, { messagesPerDay: null, tokensPerDay: null, ...budget })
  const told = [
    ...(isNear({ messagesPerDay }) && row.toldMessages !== messagesPerDay
      ? [{ field: 'messagesToday', to: `${messages} / ${messagesPerDay}` }]
      : []),
    ...(isNear({ tokensPerDay }) && row.toldTokens !== tokensPerDay
      ? [{ field: 'tokensToday', to: `${tokens} / ${tokensPerDay}` }]
      : []),
  ]
  if (told.length === 0) return
  await tx.query(sql`
    update bot_usage u set told_messages = case when ${isNear({ messagesPerDay })}::boolean then ${messagesPerDay}::bigint end,
      told_tokens = case when ${isNear({ tokensPerDay })}::boolean then ${tokensPerDay}::bigint end
    where ${here}`)
  await audit(tx, SERVER, {
    action: 'bot.budget_nearly_spent',
    target: { type: 'bot', id: botId, name },
    changes: told,
  })
  const used = [
    ...(messagesPerDay === null ? [] : [`Messages: ${messages} of ${messagesPerDay}`]),
    ...(tokensPerDay === null ? [] : [`Tokens, as it reports them: ${tokens} of ${tokensPerDay}`]),
  ].join('\n')
  for (const { email, organization } of await readAnswerablePeople(tx, [botId])) {
    await queueMail(tx, secrets, {
      to: email,
      subject: mailWords`${name} has almost used up its budget for today`,
      text: mailWords`The bot ${name} of ${organization} has used most of its budget for today:

${asIs(used)}

When the budget is used up, the bot cannot send until midnight UTC. An admin can raise the budget in the console.

${asIs(`${config.baseUrl}/console/${tx.orgId}/bots/${botId}`)}
`,
    })
  }
}
