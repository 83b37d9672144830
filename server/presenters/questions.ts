import type { MessageActions } from '../../contract/actions.ts'
import { sha256 } from '../ids.ts'
import type { StoredActions } from '../queries/messages/messages.ts'

export const presentActions = (text: string, actions: StoredActions): MessageActions => ({
  ...actions,
  hash: questionHash(text, actions),
})

/**
 * Names what a question says: SHA-256, in hex, of the JSON of its text and actions without `id`, `answers` and `outcome`. It is made from the row each
 * time and stored nowhere, so that no way of changing a text can leave it behind.
 */
export function questionHash(
  text: string,
  { id: _id, answers: _answers, outcome: _outcome, ...asked }: StoredActions,
): string {
  return sha256(JSON.stringify({ ...asked, text }, withSortedKeys)).toString('hex')
}

/** Sorts keys, because the database returns them in its own order. */
function withSortedKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
}
