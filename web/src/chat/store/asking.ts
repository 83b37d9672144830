import type { ChatMember } from '../../../../contract/people/chat-records.ts'
import type { ChatState } from '../model.ts'

type Members = ChatState['members']

/** Known members. Looking up an unknown one asks for it. */
class AskingMembers extends Map<string, ChatMember> {
  #ask: (id: string) => void

  constructor(known: Members, ask: (id: string) => void) {
    super(known)
    this.#ask = ask
  }

  override get(id: string): ChatMember | undefined {
    const member = super.get(id)
    if (!member && id !== '') this.#ask(id)
    return member
  }
}

/**
 * Gives the state as views get it: looking up a member is what says that they are shown. Equal parts are the same
 * objects as in the state before, members too.
 */
export function askingFor(ask: (id: string) => void): (state: ChatState) => ChatState {
  let last: { state: ChatState; members: Members; view: ChatState } | undefined
  return (state) => {
    if (!state.organization?.manyMembers) return state
    if (last?.state === state) return last.view
    const members =
      last && last.state.members === state.members ? last.members : new AskingMembers(state.members, ask)
    last = { state, members, view: { ...state, members } }
    return last.view
  }
}
