import * as contract from '../../../../contract/people/streaming.ts'
import { noContent, ok } from '../../../http/answers.ts'
import type { PeopleApi } from '../../../http/people-api.ts'
import type { Parley } from '../../../parley.ts'
import { presentStreaming } from '../../../presenters/streaming.ts'
import { listStreaming, type StreamingRow } from '../../../queries/messages/streamed-messages.ts'

/** The text as far as this node knows it. */
export function showStreaming({ streaming }: Pick<Parley, 'streaming'>, row: StreamingRow) {
  const current = streaming.current(row)
  return { version: current.version, message: presentStreaming(current) }
}

export function streamingRoutes(people: PeopleApi): void {
  people.reads(contract.listStreaming, async ({ caller, db, parley }) => {
    const rows = await listStreaming(caller, db)
    return ok({ streaming: rows.map((row) => showStreaming(parley, row)) })
  })

  people.acts(contract.stopStreaming, async ({ caller, params, parley: { streaming } }) => {
    await streaming.stop(caller, params.streamingId)
    return noContent()
  })
}
