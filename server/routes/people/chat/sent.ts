import * as contract from '../../../../contract/people/chat.ts'
import { ok } from '../../../http/answers.ts'
import type { PeopleApi } from '../../../http/people-api.ts'
import { readKeptSuccess } from '../../../idempotency/kept-answers.ts'

/** Tells whether a request whose answer was lost succeeded, so that files are not sent twice. */
export function sentRoutes(people: PeopleApi): void {
  people.reads(contract.readSent, async ({ caller, db, query, parley: { secrets, clock } }) => {
    const { orgId, profileId: owner } = caller
    const sent = Object(await readKeptSuccess(db, secrets, { orgId, owner, key: query.key }, clock()))
    const { id, topicId, createdAt } = sent
    const isMessage = [id, topicId].every((value) => typeof value === 'string') && Number.isInteger(createdAt)
    return ok({ sent: isMessage ? { id, topicId, createdAt } : null })
  })
}
