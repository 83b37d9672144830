import { pageLanguage } from '../../texts/language.ts'
import { nameless } from '../../texts/nameless.ts'
import type { ChatState } from '../model.ts'
import { mergeMembers } from '../store/apply.ts'
import type { ChatStore } from '../store/store.ts'

/** Calls those whose data was erased so in the reader's language; the server has one word for it. */
export function watchErased(store: ChatStore, signal: AbortSignal): void {
  const { name } = nameless[pageLanguage()]
  let members: ChatState['members'] | undefined
  const look = () => {
    const state = store.getSnapshot()
    if (state.members === members) return
    members = state.members
    const erased = [...members.values()].filter((member) => member.erased && member.name !== name)
    if (erased.length === 0) return
    store.update((before) =>
      mergeMembers(
        before,
        erased.map((member) => ({ ...member, name })),
      ),
    )
  }
  signal.addEventListener('abort', store.subscribe(look))
  look()
}
