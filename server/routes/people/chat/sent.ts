import * as contract from '../../../../contract/people/chat.ts'
import { ok } from '../../../http/answers.ts'
import { readKeptSuccess } from '../../../http/idempotency.ts'
import type { PeopleApi } from '../../../http/people-api.ts'

/** Says what came of a request whose answer was lost: files on their way are sent once. */
export function sentRoutes(people: PeopleApi): void {
  people.reads(contract.readSent, async ({ caller, db, query, parley: { secrets, clock } }) => {
    const { orgId, profileId: owner } = caller
    const sent = Object(await readKeptSuccess(db, secrets, { orgId, owner, key: query.key }, clock()))
    const { id, topicId, createdAt } = sent
    const isMessage = [id, topicId].every((value) => typeof value === 'string') && Number.isInteger(createdAt)
    return ok({ sent: isMessage ? { id, topicId, createdAt } : null })
  })
}
