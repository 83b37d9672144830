import * as contract from '../../../contract/commands.ts'
import { sendMessage } from '../../../contract/messages.ts'
import * as prompts from '../../../contract/prompts.ts'
import { sendCommand as sendCommandIn, setCommands } from '../../actions/bots/commands.ts'
import { setPrompts } from '../../actions/bots/prompts.ts'
import type { TextMessage } from '../../actions/messages/message-drafts.ts'
import type { Caller } from '../../caller.ts'
import { created, ok } from '../../http/answers.ts'
import type { BotApi } from '../../http/bot-api.ts'
import { wireOf } from '../../http/wire.ts'
import { type IdempotentRequest, type WireAnswer, writeOnce } from '../../idempotency/kept-answers.ts'
import type { Parley } from '../../parley.ts'
import { listCommands, listPrompts } from '../../queries/bots/commands.ts'

const sentWire = wireOf(sendMessage)

/** Sends a person's message that begins like a command. */
export function sendCommand(
  { db, secrets }: Pick<Parley, 'db' | 'secrets'>,
  caller: Caller,
  message: TextMessage,
  repeat: IdempotentRequest | undefined,
): Promise<WireAnswer> {
  return db.writeAs(caller, (tx) =>
    writeOnce(tx, secrets, repeat, async () =>
      sentWire.write(created(await sendCommandIn(tx, caller, message))),
    ),
  )
}

export function commandRoutes(api: BotApi): void {
  api.reads(contract.listCommands, async ({ caller, db }) => ok({ commands: await listCommands(caller, db) }))

  api.writes(contract.setCommands, async ({ caller, tx, body }) =>
    ok({ commands: await setCommands(tx, caller, body.commands) }),
  )

  api.reads(prompts.listPrompts, async ({ caller, db }) => ok({ prompts: await listPrompts(caller, db) }))

  api.writes(prompts.setPrompts, async ({ caller, tx, body }) => {
    await setPrompts(tx, caller, body.prompts)
    return ok(body)
  })
}
