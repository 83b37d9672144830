import * as contract from '../../../../contract/people/chat.ts'
import { readAllThreads } from '../../../actions/messages/threads.ts'
import {
  readEverything,
  saveDraft,
  setTopicState,
  setTopicStateAtOnce,
} from '../../../actions/topics/chat-states.ts'
import { refusal } from '../../../errors.ts'
import { noContent, ok } from '../../../http/answers.ts'
import type { PeopleApi } from '../../../http/people-api.ts'
import { presentDraft, presentTopicState } from '../../../presenters/chat.ts'
import { isTopicMember } from '../../../queries/messages/messages.ts'

/** Serves what belongs to one person (read positions, mute, drafts), of which the log has no events. */
export function stateRoutes(people: PeopleApi): void {
  people.acts(contract.setTopicState, async ({ caller, params, body, parley: { db, ephemeral } }) => {
    if (body.readTo !== undefined && body.unreadFrom !== undefined)
      throw refusal('fields_conflict', { fields: 'readTo and unreadFrom' })
    if (body.favourite === true && typeof body.sectionId === 'string')
      throw refusal('fields_conflict', { fields: 'favourite and sectionId' })
    const row =
      (await setTopicStateAtOnce(db, caller, params.topicId, body)) ??
      (await db.writeBeside(caller, (tx) => setTopicState(tx, caller, params.topicId, body)))
    const state = presentTopicState(row)
    ephemeral.state(caller, { states: [state] })
    return ok(state)
  })

  people.acts(contract.readEverything, async ({ caller, parley: { db, ephemeral } }) => {
    const rows = await db.writeBeside(caller, async (tx) => {
      await readAllThreads(tx, caller)
      return readEverything(tx, caller)
    })
    const states = rows.map(presentTopicState)
    ephemeral.state(caller, { states, threadsRead: true })
    return ok({ states })
  })

  people.acts(contract.saveDraft, async ({ caller, body, parley: { db, clock, ephemeral } }) => {
    const row = await db.writeBeside(caller, (tx) => saveDraft(tx, caller, body, clock()))
    const draft = presentDraft(row)
    ephemeral.state(caller, { draft })
    return ok(draft)
  })

  people.acts(contract.tellTyping, async ({ caller, body, parley: { db, ephemeral } }) => {
    const topicId = body.topicId.toLowerCase()
    const isMember = () => isTopicMember(caller, db, topicId)
    if (!(await ephemeral.typing(caller, { ...body, topicId }, isMember))) throw refusal('topic_not_found')
    return noContent()
  })
}
