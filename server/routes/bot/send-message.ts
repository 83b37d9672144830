import * as contract from '../../../contract/messages.ts'
import type { BodyOf } from '../../../contract/operation.ts'
import { isBotId } from '../../../contract/profile-ids.ts'
import { mayBeCommand } from '../../actions/bots/commands.ts'
import { forwardMessage } from '../../actions/messages/forwards.ts'
import type { TextMessage } from '../../actions/messages/message-drafts.ts'
import type { Question } from '../../actions/messages/messages.ts'
import { holdMessage } from '../../actions/messages/scheduled-messages.ts'
import { permitAlso } from '../../auth/bots.ts'
import type { Caller } from '../../caller.ts'
import { refusal } from '../../errors.ts'
import { created } from '../../http/answers.ts'
import type { ConversationBatching } from '../../http/conversation-api.ts'
import { wireOf } from '../../http/wire.ts'
import { type IdempotentRequest, type WireAnswer, writeOnce } from '../../idempotency/kept-answers.ts'
import type { Parley } from '../../parley.ts'
import { HeldForReview } from '../../text-check.ts'
import { askQuestion } from './actions.ts'
import { sendCommand } from './commands.ts'
import { sendLater } from './scheduled-messages.ts'
import { beginStreaming } from './streaming.ts'

type Body = BodyOf<typeof contract.sendMessage>

/** Sends a message of the kind that its body describes. */
export async function sendMessage(request: ConversationBatching<typeof contract.sendMessage>) {
  const { caller, body, parley, repeat } = request
  const { kind, message } = readKind(body)
  switch (kind) {
    case 'forward':
      return forward(parley, caller, message, repeat)
    case 'streamed':
      return beginStreaming(parley, caller, message, repeat)
    case 'later':
      return sendLater(parley, caller, message, repeat)
    case 'question':
      return askQuestion(parley, caller, message, repeat).catch(holding(request, message))
    case 'text':
      return (
        mayNeedTransaction(caller, message.text)
          ? sendCommand(parley, caller, message, repeat)
          : sendText(request, message)
      ).catch(holding(request, message))
  }
}

/** Keeps a message that its organization's message check holds for a review. */
const holding =
  (
    { caller, repeat, parley: { db, secrets } }: ConversationBatching<typeof contract.sendMessage>,
    message: Question,
  ) =>
  (error: unknown): Promise<WireAnswer> => {
    if (!(error instanceof HeldForReview)) throw error
    const { reason } = error
    return db.writeAs(caller, (tx) =>
      writeOnce(tx, secrets, repeat, async () =>
        sentWire.write({ status: 202, body: await holdMessage(tx, caller, message, reason) }),
      ),
    )
  }

/** The kind of message, with what it cannot do without; refuses what cannot go together. */
function readKind(body: Body) {
  const { forwardMessageId, streaming, sendAt, actions, text } = body
  if (forwardMessageId !== undefined) {
    if (streaming || actions || sendAt !== undefined) throw refusal('forward_not_combinable')
    return { kind: 'forward' as const, message: { ...body, forwardMessageId } }
  }
  if (streaming) {
    if (actions) throw refusal('fields_conflict', { fields: 'streaming and actions' })
    if (sendAt !== undefined) throw refusal('fields_conflict', { fields: 'streaming and sendAt' })
    return { kind: 'streamed' as const, message: body }
  }
  if (text === undefined) throw refusal('field_required', { field: 'text' })
  if (sendAt !== undefined) return { kind: 'later' as const, message: { ...body, text, sendAt } }
  if (actions) return { kind: 'question' as const, message: { ...body, text, actions } }
  return { kind: 'text' as const, message: { ...body, text } }
}

/** Whether a person's text may call a bot, or carries the name of the assistant that wrote it: plain texts have no room for either. */
const mayNeedTransaction = ({ profileId, assistant }: Caller, text: string): boolean =>
  !isBotId(profileId) && (assistant !== undefined || mayBeCommand(text))

async function sendText(
  { caller, parley, repeat, isGone }: ConversationBatching<typeof contract.sendMessage>,
  message: TextMessage,
) {
  const answer = await parley.messages.send(caller, message, { repeat, isGone })
  return 'kept' in answer ? answer.kept : created(answer.sent)
}

const sentWire = wireOf(contract.sendMessage)

async function forward(
  { db, secrets, identities }: Pick<Parley, 'db' | 'identities' | 'secrets'>,
  caller: Caller,
  body: Body & { forwardMessageId: string },
  repeat: IdempotentRequest | undefined,
): Promise<WireAnswer> {
  // Forwarding reads a message: a caller who may only send must not get at the messages of others in this way.
  await permitAlso(identities, caller, contract.readMessage)
  return db.writeAs(caller, (tx) =>
    writeOnce(tx, secrets, repeat, async () =>
      sentWire.write(created(await forwardMessage(tx, caller, body))),
    ),
  )
}
