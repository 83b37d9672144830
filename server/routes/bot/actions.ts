import { noteAction as noteContract } from '../../../contract/actions.ts'
import { sendMessage } from '../../../contract/messages.ts'
import { isBotId } from '../../../contract/profile-ids.ts'
import { noteAction } from '../../actions/messages/button-presses.ts'
import { type Question, sendText } from '../../actions/messages/messages.ts'
import type { Caller } from '../../caller.ts'
import { refusal } from '../../errors.ts'
import { created, noContent } from '../../http/answers.ts'
import type { BotApi } from '../../http/bot-api.ts'
import { wireOf } from '../../http/wire.ts'
import { type IdempotentRequest, type WireAnswer, writeOnce } from '../../idempotency/kept-answers.ts'
import type { Parley } from '../../parley.ts'

const sentWire = wireOf(sendMessage)

/** Sends a text with buttons, choices or forms, which only bots have. */
export async function askQuestion(
  { db, secrets }: Pick<Parley, 'db' | 'secrets'>,
  caller: Caller,
  question: Question,
  repeat: IdempotentRequest | undefined,
): Promise<WireAnswer> {
  if (!isBotId(caller.profileId)) throw refusal('forbidden')
  return db.writeAs(caller, (tx) =>
    writeOnce(tx, secrets, repeat, async () => sentWire.write(created(await sendText(tx, caller, question)))),
  )
}

export function actionRoutes(api: BotApi): void {
  api.writes(noteContract, async ({ caller, tx, params, body }) => {
    await noteAction(tx, caller, params.actionId, body.text)
    return noContent()
  })
}
