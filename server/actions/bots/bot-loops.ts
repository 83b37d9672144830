import { BOTS_RELEASED } from '../../../contract/people/stream.ts'
import type { Caller } from '../../caller.ts'
import { sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/transaction.ts'
import { emitToPeople } from '../../events/log.ts'
import { queueMail } from '../../mail/queue.ts'
import { asIs, mailWords } from '../../mail/words.ts'
import type { Parley } from '../../parley.ts'
import { type Actor, actorOf, audit, SERVER } from '../organization/audit.ts'
import { readAnswerablePeople } from './bot-people.ts'

/** `seq` is the number of the event that was one answer too many. */
export type Loop = { topicId: string; botIds: readonly string[]; seq: number }

/**
 * Stops all bots in a topic, and tells admins and the owners of the bots that answered each other. The first node to see it does so,
 * once: another one may read the chain when a person has let the bots go on already.
 */
export async function stopBots(
  tx: Transaction,
  { secrets, config }: Pick<Parley, 'secrets' | 'config'>,
  { topicId, botIds, seq }: Loop,
): Promise<void> {
  const stoppedAt = tx.now()
  const [topic] = await tx.query<StoppedTopic>(sql`
    update topics set bots_stopped_at = ${stoppedAt}
    where org_id = ${tx.orgId} and id = ${topicId} and bots_stopped_at is null and archived_at is null
      and not exists (
        select from events e
        where e.org_id = ${tx.orgId} and e.seq > ${seq} and e.topic_id = ${topicId} and e.type = ${BOTS_RELEASED})
    returning id, name, type`)
  if (!topic) return
  const bots = await tx.query<{ name: string }>(sql`
    select name from profiles where org_id = ${tx.orgId} and id = any(${botIds}) order by lower(name), id`)
  const names = bots.map(({ name }) => name).join(', ')
  await emitToPeople(tx, 'bots.stopped', topic.id, { topicId: topic.id, stoppedAt })
  await audit(tx, SERVER, {
    action: 'topic.bots_stopped',
    target: targetOf(topic),
    changes: [{ field: 'bots', to: names }],
  })
  const [place, way] = placeOf(topic)
  const page = topic.type === 'dm' ? `bots/${botIds[0]}` : `topics/${topic.id}`
  for (const { email, organization } of await readAnswerablePeople(tx, botIds)) {
    await queueMail(tx, secrets, {
      to: email,
      subject: mailWords`Bots were stopped in ${place}`,
      text: mailWords`In ${place} of ${organization}, bots kept answering each other: ${names}.

They cannot write there until a person allows it. ${asIs(way)}

${asIs(`${config.baseUrl}/console/${tx.orgId}/${page}`)}
`,
    })
  }
}

type StoppedTopic = { id: string; name: string; type: 'topic' | 'dm' }

const DIRECT_MESSAGE = 'a direct message'
/** Direct messages have no name, and admins do not learn their members. */
const targetOf = ({ id, name, type }: StoppedTopic) => ({
  type: 'topic' as const,
  id,
  name: type === 'dm' ? DIRECT_MESSAGE : name,
})

/** The topic's name in a mail, and how a person lets bots go on there. */
const placeOf = ({ name, type }: StoppedTopic): [place: string, way: string] =>
  type === 'dm'
    ? [
        DIRECT_MESSAGE,
        'A message of a person who is in it does that, or an admin who pauses one of the bots in the console and resumes it.',
      ]
    : [
        `the topic ${name}`,
        'A message of a person in the topic does that, and so does the button there and in the console.',
      ]

/** A person has spoken, or pressed the button: bots may write again. Tells whether they might not. */
export async function releaseBots(tx: Transaction, caller: Caller, topicId: string): Promise<boolean> {
  const [topic] = await tx.query<StoppedTopic>(sql`
    update topics set bots_stopped_at = null
    where org_id = ${tx.orgId} and id = ${topicId} and bots_stopped_at is not null
    returning id, name, type`)
  if (!topic) return false
  await tellReleased(tx, actorOf(caller), topic)
  return true
}

/** An admin has resumed a bot: bots may write again in its direct messages, in which there may be no person. */
export async function releaseDirectMessages(tx: Transaction, by: Actor, botId: string): Promise<void> {
  const topics = await tx.query<StoppedTopic>(sql`
    update topics t set bots_stopped_at = null
    where t.org_id = ${tx.orgId} and t.bots_stopped_at is not null and t.type = 'dm' and exists (
      select from topic_members m where m.org_id = t.org_id and m.topic_id = t.id and m.profile_id = ${botId})
    returning t.id, t.name, t.type`)
  for (const topic of topics) await tellReleased(tx, by, topic)
}

async function tellReleased(tx: Transaction, by: Actor, topic: StoppedTopic): Promise<void> {
  const actorId = 'id' in by ? by.id : ''
  await emitToPeople(tx, 'bots.released', topic.id, { topicId: topic.id, actorId })
  await audit(tx, by, { action: 'topic.bots_released', target: targetOf(topic) })
}
