import { sendMessage } from '../../../contract/messages.ts'
import type { BodyOf } from '../../../contract/operation.ts'
import { isBotId } from '../../../contract/profile-ids.ts'
import * as contract from '../../../contract/streaming.ts'
import { setProgress } from '../../actions/messages/stream-progress.ts'
import type { Caller } from '../../caller.ts'
import { refusal } from '../../errors.ts'
import { created, noContent, ok } from '../../http/answers.ts'
import type { BotApi } from '../../http/bot-api.ts'
import { wireOf } from '../../http/wire.ts'
import { type IdempotentRequest, type WireAnswer, writeOnce } from '../../idempotency/kept-answers.ts'
import type { Parley } from '../../parley.ts'
import type { StreamingRow } from '../../queries/messages/streamed-messages.ts'

const sentWire = wireOf(sendMessage)
const finishedWire = wireOf(contract.finishMessage)

/** Begins a message that its bot writes piece by piece. */
export async function beginStreaming(
  { db, streaming, secrets }: Pick<Parley, 'db' | 'secrets' | 'streaming'>,
  caller: Caller,
  body: BodyOf<typeof sendMessage>,
  repeat: IdempotentRequest | undefined,
): Promise<WireAnswer> {
  if (!isBotId(caller.profileId)) throw refusal('forbidden')
  let begun: StreamingRow | undefined
  const answer = await db.writeAs(caller, (tx) => {
    begun = undefined
    return writeOnce(tx, secrets, repeat, async () => {
      begun = await streaming.begin(tx, caller, body)
      return sentWire.write(created(sentOf(begun)))
    })
  })
  if (begun) streaming.hold(begun)
  return answer
}

const sentOf = ({ id, topic_id: topicId, created_at: createdAt }: StreamingRow) => ({
  id,
  topicId,
  createdAt,
})

export function streamingRoutes(api: BotApi): void {
  api.batches(
    contract.appendToMessage,
    async ({ caller, params, body, parley, repeat }) =>
      ok(await parley.streaming.append(caller, params.messageId, body, repeat)),
    {
      streamed: async ({ caller, params, query, parley, read }) => {
        const { sink, ms } = await read((stop) =>
          parley.streaming.open(caller, params.messageId, query.from, stop),
        )
        return ok({ ...sink.answer(), bodyMs: ms })
      },
    },
  )

  api.writes(contract.setProgress, async ({ caller, tx, params, body }) => {
    await setProgress(tx, caller, params.messageId, body)
    return noContent()
  })

  api.batches(
    contract.finishMessage,
    ({ caller, params, body, parley: { db, secrets, streaming }, repeat }) =>
      streaming.finish(caller, params.messageId, body, (end) =>
        db.writeAs(caller, (tx) =>
          writeOnce(tx, secrets, repeat, async () => finishedWire.write(ok(sentOf(await end(tx))))),
        ),
      ),
  )
}
