import * as contract from '../../../../contract/people/chat.ts'
import { readEverything, saveDraft, setTopicState } from '../../../actions/topics/chat-states.ts'
import { badRequest, notFound } from '../../../errors.ts'
import { noContent, ok } from '../../../http/answers.ts'
import type { PeopleApi } from '../../../http/people-api.ts'
import { presentDraft, presentTopicState } from '../../../presenters/chat.ts'
import { isTopicMember } from '../../../queries/messages/messages.ts'

/** Serves what belongs to one person (read positions, mute, drafts), of which the log has no events. */
export function stateRoutes(people: PeopleApi): void {
  people.acts(contract.setTopicState, async ({ caller, params, body, parley: { db, passing } }) => {
    if (body.readTo !== undefined && body.unreadFrom !== undefined)
      throw badRequest('readTo and unreadFrom cannot be used together')
    const row = await db.writeBeside(caller, (tx) => setTopicState(tx, caller, params.topicId, body))
    const state = presentTopicState(row)
    passing.state(caller, { states: [state] })
    return ok(state)
  })

  people.acts(contract.readEverything, async ({ caller, parley: { db, passing } }) => {
    const rows = await db.writeBeside(caller, (tx) => readEverything(tx, caller))
    const states = rows.map(presentTopicState)
    passing.state(caller, { states })
    return ok({ states })
  })

  people.acts(contract.saveDraft, async ({ caller, body, parley: { db, clock, passing } }) => {
    const row = await db.writeBeside(caller, (tx) => saveDraft(tx, caller, body, clock()))
    const draft = presentDraft(row)
    passing.state(caller, { draft })
    return ok(draft)
  })

  people.acts(contract.tellTyping, async ({ caller, body, parley: { db, passing } }) => {
    const topicId = body.topicId.toLowerCase()
    const isMember = () => isTopicMember(caller, db, topicId)
    if (!(await passing.typing(caller, { ...body, topicId }, isMember))) throw notFound('Topic not found')
    return noContent()
  })
}
