import pg from 'pg'
import { vi } from 'vitest'

/** The statements of a transaction on its connection. A statement outside of one is a conversation of its own. */
export type Conversation = {
  statements: string[]
  /** The longest chain of statements of which each was sent after the answer to the one before. */
  roundTrips: number
}

/** The conversations with the database while `work` runs, of this whole process. */
export async function conversationsOf(work: () => Promise<unknown>): Promise<Conversation[]> {
  const all: Conversation[] = []
  const current = new Map<pg.Client, Conversation>()
  const answered = new Map<Conversation, number>()
  const query = pg.Client.prototype.query
  const spy = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
    this: pg.Client,
    ...given: unknown[]
  ) {
    const text = typeof given[0] === 'string' ? given[0] : String(Object(given[0]).text)
    let conversation = current.get(this)
    if (!conversation || text.startsWith('begin')) {
      conversation = { statements: [], roundTrips: 0 }
      all.push(conversation)
      if (text.startsWith('begin')) current.set(this, conversation)
    }
    if (text === 'commit' || text === 'rollback') current.delete(this)
    conversation.statements.push(text)
    const asked = conversation
    const length = (answered.get(asked) ?? 0) + 1
    asked.roundTrips = Math.max(asked.roundTrips, length)
    const note = () => answered.set(asked, Math.max(answered.get(asked) ?? 0, length))
    const last = given.at(-1)
    if (typeof last === 'function')
      given[given.length - 1] = (...results: unknown[]) => {
        note()
        return Reflect.apply(last, this, results)
      }
    const answer = Reflect.apply(query, this, given)
    if (answer instanceof Promise) answer.then(note, note)
    return answer
  })
  try {
    await work()
  } finally {
    spy.mockRestore()
  }
  return all
}
