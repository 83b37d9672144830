import * as contract from '../../../../contract/people/records.ts'
import { refusal } from '../../../errors.ts'
import { ok } from '../../../http/answers.ts'
import type { PeopleApi } from '../../../http/people-api.ts'
import { countDueMessages, endOfDays, isTopicKnown } from '../../../queries/organization/message-retention.ts'

export function recordRoutes(people: PeopleApi): void {
  people.reads(contract.previewKeptMessages, async ({ caller, db, query, parley }) => {
    const { days, topicId } = query
    if (topicId !== undefined && !(await isTopicKnown(caller, db, topicId))) throw refusal('topic_not_found')
    return ok(await countDueMessages(caller, db, { before: endOfDays(parley.clock(), days), topicId }))
  })
}
