import type { AuditAction } from '../../../contract/people/organization.ts'
import { sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/transaction.ts'
import { queueMail } from '../../mail/queue.ts'
import { asIs, mailWords } from '../../mail/words.ts'
import type { Parley } from '../../parley.ts'
import { audit, SERVER } from '../organization/audit.ts'
import { readAnswerablePeople } from './bot-people.ts'

const ACTION: AuditAction = 'bot.rate_limit_used_up'
/** Shortest time between two mails about one bot. */
const TELL_AGAIN_MS = 3_600_000

/** Tells the bot's owner and admins that it used most of the requests that all bots of the organization share. */
export async function tellLimitUsedUp(
  tx: Transaction,
  { secrets, config }: Pick<Parley, 'secrets' | 'config'>,
  botId: string,
): Promise<void> {
  const [bot] = await tx.query<{ name: string }>(sql`
    select p.name from profiles p where p.org_id = ${tx.orgId} and p.id = ${botId} and not exists (
      select from audit_log a where a.org_id = p.org_id and a.target_id = p.id and a.action = ${ACTION}
        and a.at > ${tx.now() - TELL_AGAIN_MS})`)
  if (!bot) return
  const { name } = bot
  await audit(tx, SERVER, { action: ACTION, target: { type: 'bot', id: botId, name } })
  for (const { email, organization } of await readAnswerablePeople(tx, [botId])) {
    await queueMail(tx, secrets, {
      to: email,
      subject: mailWords`${name} uses up the requests of all bots`,
      text: mailWords`The bot ${name} of ${organization} sent more than half of the requests that all bots together can send in a minute, and the limit is reached.

Other bots continue with their guaranteed minimum. If this bot misbehaves, an admin can pause it in the console.

${asIs(`${config.baseUrl}/console/${tx.orgId}/bots/${botId}`)}
`,
    })
  }
}
