import * as contract from '../../../../contract/people/cards.ts'
import { sendContact, sendLocation } from '../../../actions/messages/messages.ts'
import { closeOwnPoll } from '../../../actions/work/polls.ts'
import { created, noContent } from '../../../http/answers.ts'
import type { PeopleApi } from '../../../http/people-api.ts'

export function cardRoutes(people: PeopleApi): void {
  people.writes(contract.sendLocation, async ({ caller, tx, body }) => {
    const { latitude, longitude, name, address, ...place } = body
    const location = {
      latitude: String(latitude),
      longitude: String(longitude),
      ...(name !== undefined && { name }),
      ...(address !== undefined && { address }),
    }
    return created(await sendLocation(tx, caller, place, location))
  })

  people.writes(contract.sendContact, async ({ caller, tx, body }) => {
    const { topicId, parentId, alsoInTopic, externalId, ...contact } = body
    const place = {
      topicId,
      ...(parentId && { parentId }),
      ...(alsoInTopic && { alsoInTopic }),
      ...(externalId && { externalId }),
    }
    return created(await sendContact(tx, caller, place, contact))
  })

  people.writes(contract.closePoll, async ({ caller, tx, params }) => {
    await closeOwnPoll(tx, caller, params.pollId)
    return noContent()
  })
}
