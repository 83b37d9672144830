import type { Caller } from '../caller.ts'
import { sql } from '../db/sql.ts'
import type { Transaction } from '../db/transaction.ts'
import { emitToPeople } from '../events/log.ts'
import { queueMail } from '../mail/queue.ts'
import { asIs, mailWords } from '../mail/words.ts'
import type { Parley } from '../parley.ts'
import { actorOf, audit, SERVER } from './audit.ts'
import { readAnswerablePeople } from './bot-people.ts'

export type Loop = { topicId: string; botIds: readonly string[] }

/**
 * Lets no bot write in a topic any more, and tells admins and the owners of those that answered each other. Done once, whichever
 * node sees it first; in direct messages bots are only slowed, since there may be no person who could let them go on.
 */
export async function stopBots(
  tx: Transaction,
  { secrets, config }: Pick<Parley, 'secrets' | 'config'>,
  { topicId, botIds }: Loop,
): Promise<void> {
  const stoppedAt = tx.now()
  const [topic] = await tx.query<{ id: string; name: string }>(sql`
    update topics set bots_stopped_at = ${stoppedAt}
    where org_id = ${tx.orgId} and id = ${topicId} and bots_stopped_at is null and archived_at is null and type = 'topic'
    returning id, name`)
  if (!topic) return
  const bots = await tx.query<{ name: string }>(sql`
    select name from profiles where org_id = ${tx.orgId} and id = any(${botIds}) order by lower(name), id`)
  const names = bots.map(({ name }) => name).join(', ')
  await emitToPeople(tx, 'bots.stopped', topic.id, { topicId: topic.id, stoppedAt })
  await audit(tx, SERVER, {
    action: 'topic.bots_stopped',
    target: { type: 'topic', ...topic },
    changes: [{ field: 'bots', to: names }],
  })
  for (const { email, organization } of await readAnswerablePeople(tx, botIds)) {
    await queueMail(tx, secrets, {
      to: email,
      subject: mailWords`Bots were stopped in ${topic.name}`,
      text: mailWords`In the topic ${topic.name} of ${organization}, bots only answered each other: ${names}.

They may not write there until a person lets them. A message of a person in the topic does that, and so does the button there
and in the console.

${asIs(`${config.baseUrl}/console/${tx.orgId}/topics/${topic.id}`)}
`,
    })
  }
}

/** A person has spoken, or pressed the button: bots may write again. Tells whether they might not. */
export async function releaseBots(tx: Transaction, caller: Caller, topicId: string): Promise<boolean> {
  const [topic] = await tx.query<{ id: string; name: string }>(sql`
    update topics set bots_stopped_at = null
    where org_id = ${tx.orgId} and id = ${topicId} and bots_stopped_at is not null
    returning id, name`)
  if (!topic) return false
  await emitToPeople(tx, 'bots.released', topic.id, { topicId: topic.id, actorId: caller.profileId })
  await audit(tx, actorOf(caller), {
    action: 'topic.bots_released',
    target: { type: 'topic', ...topic },
  })
  return true
}
