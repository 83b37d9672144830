import { LIMITS } from '../../../contract/limits.ts'
import type { BodyOf } from '../../../contract/operation.ts'
import type { askQuestion as askContract } from '../../../contract/questions.ts'
import { byAssistant, type Caller } from '../../caller.ts'
import { sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/transaction.ts'
import { refusal } from '../../errors.ts'
import { sha256 } from '../../ids.ts'
import type { StoredActions } from '../../queries/messages/messages.ts'
import { countOpenQuestions } from '../../queries/messages/questions.ts'
import { requireTopicToWriteIn } from '../topics/topics.ts'
import { maskedIn } from '../topics/written-texts.ts'
import { groupMentionsOf } from './group-mentions.ts'
import { checkMentions, checkParent, postMessage } from './messages.ts'
import { actionsOf, wordsOf } from './questions.ts'

type Asked = BodyOf<typeof askContract>
type AskedQuestion = NonNullable<StoredActions['question']>

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** Asks in a topic, unless the question with this key is there already. */
export async function askQuestion(
  tx: Transaction,
  caller: Caller,
  asked: Asked,
): Promise<{ id: string; isNew: boolean }> {
  // A bot that was restarted may count its time from now.
  const { expiresAt: _expiresAt, ...same } = asked
  const hash = sha256(
    JSON.stringify(Object.entries(same).sort(([one], [other]) => (one < other ? -1 : 1))),
  ).toString('hex')
  const known = asked.key === undefined ? undefined : await findByKey(tx, caller, asked.key)
  if (known) {
    if (known.asked_hash !== hash) throw refusal('question_key_taken')
    return { id: known.id, isNew: false }
  }
  return { id: await askNew(tx, caller, asked, hash), isNew: true }
}

async function findByKey(tx: Transaction, { profileId }: Caller, key: string) {
  const [row] = await tx.query<{ id: string; asked_hash: string }>(sql`
    select id, asked_hash from questions where org_id = ${tx.orgId} and asker_id = ${profileId} and key = ${key}`)
  return row
}

async function askNew(tx: Transaction, caller: Caller, asked: Asked, hash: string): Promise<string> {
  const {
    text: given,
    title,
    facts,
    elements,
    who,
    people,
    approval,
    quorum = 1,
    decisive = [],
    otherwise,
    parentId,
  } = asked
  const written = [given, ...wordsOf(asked)]
  const topic = await requireTopicToWriteIn(tx, caller, asked.topicId, written, { maskable: given })
  const text = maskedIn(tx, given)
  if (parentId !== undefined) await checkParent(tx, topic.id, parentId)
  const expiresAt = asked.expiresAt ?? tx.now() + LIMITS.questionDefaultHours * HOUR_MS
  if (expiresAt > tx.now() + LIMITS.questionDays * DAY_MS) throw refusal('question_expiry_too_far')
  refuseImpossible(asked)
  if ((await countOpenQuestions(caller, tx)) >= LIMITS.questionsOpen) throw refusal('questions_full')
  const mentions = await checkMentions(tx, topic.id, text)
  const groupMentions = await groupMentionsOf(tx, caller, { topicId: topic.id, text, parentId })
  const shown = await actionsOf(tx, topic.id, {
    ...(title !== undefined && { title }),
    ...(facts && { facts }),
    elements,
    ...(who && { who }),
    ...(people && { people }),
    ...(approval && { approval }),
    use: quorum > 1 ? 'each' : 'once',
    expiresAt,
  })
  const id = tx.moment().id
  const question: AskedQuestion = {
    id,
    quorum,
    ...(decisive.length > 0 && { decisive }),
    ...(otherwise !== undefined && { otherwise }),
  }
  const message = await postMessage(tx, {
    topicId: topic.id,
    senderId: caller.profileId,
    type: 'text',
    text,
    mentions,
    parentId,
    details: {
      actions: { ...shown, question },
      ...(groupMentions && { groupMentions }),
      ...byAssistant(caller),
    },
  })
  await tx.query(sql`
    insert into questions (org_id, id, asker_id, key, asked_hash, topic_id, message_id, actions_id, quorum, approval, decisive, otherwise,
      expires_at, created_at)
    values (${tx.orgId}, ${id}, ${caller.profileId}, ${asked.key}, ${hash}, ${topic.id}, ${message.id}, ${shown.id}, ${quorum}, ${shown.approval},
      ${decisive}, ${otherwise}, ${expiresAt}, ${message.createdAt})`)
  return id
}

/** Refuses questions without a possible answer: elements that are not there, or more people than may answer. */
function refuseImpossible({ elements, people, quorum = 1, decisive = [], otherwise }: Asked): void {
  if (people && new Set(people).size < quorum) throw refusal('field_invalid', { field: 'quorum' })
  if (!decisive.every((id) => elements.some((element) => element.id === id)))
    throw refusal('field_invalid', { field: 'decisive' })
  const chosen = elements.find(({ id }) => id === otherwise)
  // An expired form has no contents, and an expired choice no option.
  if (otherwise !== undefined && (!chosen || chosen.options || chosen.fields))
    throw refusal('field_invalid', { field: 'otherwise' })
}
