import type { Answer } from './client.ts'
import { call, type RequestOptions } from './client.ts'
import type { TestPerson } from './people.ts'
import { checkPromise } from './promised.ts'

/** A bot in a rehearsal. What succeeds is checked against the promises of the bot API. */
export type Rehearsing = {
  id: string
  token: string
  send(method: string, path: string, body?: unknown, options?: RequestOptions): Promise<Answer>
  /** The next event, or the refusal. */
  hear(offset?: string): Promise<Answer>
}

export async function startRehearsal(
  url: string,
  who: TestPerson,
  botId: string,
  body: object = {},
): Promise<Rehearsing> {
  const path = `/people/organizations/${who.orgId}/bots/${botId}/rehearsals`
  const answer = await who.post(path, body)
  if (answer.status !== 201) throw new Error(`no rehearsal: ${answer.text}`)
  const { rehearsal, token } = Object(answer.body)
  return rehearsing(url, rehearsal.id, token)
}

export function rehearsing(url: string, id: string, token: string): Rehearsing {
  const send: Rehearsing['send'] = async (method, path, body, options = {}) => {
    const answer = await call(url, { token }, method, `/rehearsal${path}`, {
      ...options,
      ...(body !== undefined && { body }),
    })
    if (answer.status < 300) checkPromise(method, path, answer)
    return answer
  }
  const hear: Rehearsing['hear'] = (offset) =>
    send('GET', `/v2/updates${offset === undefined ? '' : `?offset=${encodeURIComponent(offset)}`}`)
  return { id, token, send, hear }
}

/** All that a rehearsal hears, with what `act` does to each. */
export async function hearAll(
  bot: Rehearsing,
  act: (event: { eventType: string; data: Record<string, unknown> }) => Promise<unknown> = async () => {},
): Promise<{ eventType: string; data: Record<string, unknown> }[]> {
  const heard = []
  for (let offset: string | undefined; ; ) {
    const answer = await bot.hear(offset)
    if (answer.headers.get('x-error-code') === 'rehearsal_over') return heard
    if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`)
    const { updates, nextOffset } = Object(answer.body)
    for (const update of updates) {
      heard.push(update)
      await act(update)
    }
    offset = nextOffset
  }
}

/** The comparison that an admin sees. */
export async function comparisonOf(who: TestPerson, botId: string, rehearsalId: string, query = '') {
  const path = `/people/organizations/${who.orgId}/bots/${botId}/rehearsals/${rehearsalId}${query}`
  const answer = await who.get(path)
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`)
  return Object(answer.body)
}
