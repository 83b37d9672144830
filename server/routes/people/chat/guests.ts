import * as contract from '../../../../contract/people/guests.ts'
import { inviteGuest } from '../../../actions/members/people.ts'
import { created } from '../../../http/answers.ts'
import type { PeopleApi } from '../../../http/people-api.ts'
import { presentChatMember } from '../../../presenters/chat.ts'
import { readChatMember } from '../../../queries/members/chat-members.ts'

export function guestRoutes(people: PeopleApi): void {
  people.writes(contract.inviteGuest, async ({ caller, tx, body, parley }) => {
    const guest = await readChatMember(caller, tx, await inviteGuest(tx, parley, caller, body))
    if (!guest) throw new Error('who was just invited is a member')
    return created(presentChatMember(guest, tx.now()))
  })
}
