import { LIMITS } from '../../../contract/limits.ts'
import { sendMessage } from '../../../contract/messages.ts'
import * as contract from '../../../contract/scheduled-messages.ts'
import {
  cancelScheduledMessage,
  type LaterMessage,
  scheduleMessage,
  sendScheduledMessage,
  updateScheduledMessage,
} from '../../actions/messages/scheduled-messages.ts'
import type { Caller } from '../../caller.ts'
import { created, noContent, ok } from '../../http/answers.ts'
import type { ConversationApi } from '../../http/conversation-api.ts'
import { cursors, cutPage } from '../../http/cursor.ts'
import { wireOf } from '../../http/wire.ts'
import { type IdempotentRequest, type WireAnswer, writeOnce } from '../../idempotency/kept-answers.ts'
import type { Parley } from '../../parley.ts'
import { presentScheduledMessage } from '../../presenters/scheduled-messages.ts'
import { listScheduledMessages, type ScheduledPosition } from '../../queries/messages/scheduled-messages.ts'

const sentWire = wireOf(sendMessage)

/** Schedules a message. */
export function sendLater(
  { db, secrets }: Pick<Parley, 'db' | 'secrets'>,
  caller: Caller,
  message: LaterMessage,
  repeat: IdempotentRequest | undefined,
): Promise<WireAnswer> {
  return db.writeAs(caller, (tx) =>
    writeOnce(tx, secrets, repeat, async () =>
      sentWire.write(created(await scheduleMessage(tx, caller, message))),
    ),
  )
}

export function scheduledMessageRoutes(api: ConversationApi): void {
  api.reads(contract.listScheduledMessages, async ({ caller, db, query, parley }) => {
    const { limit = LIMITS.pageDefault, cursor } = query
    const list = cursors<null, ScheduledPosition>(parley.secrets, caller, 'scheduled-messages')
    const after = cursor === undefined ? undefined : list.read(cursor).after
    const rows = await listScheduledMessages(caller, db, { limit, ...(after && { after }) })
    const { items, last } = cutPage(rows, limit)
    return ok({
      scheduledMessages: items.map(presentScheduledMessage),
      ...(last && { nextCursor: list.write({ filters: null, after: [last.send_at, last.id] }) }),
      hasMore: last !== undefined,
    })
  })

  api.writes(contract.updateScheduledMessage, async ({ caller, tx, params, body }) =>
    ok(presentScheduledMessage(await updateScheduledMessage(tx, caller, params.scheduledMessageId, body))),
  )

  api.writes(contract.cancelScheduledMessage, async ({ caller, tx, params }) => {
    await cancelScheduledMessage(tx, caller, params.scheduledMessageId)
    return noContent()
  })

  api.writes(contract.sendScheduledMessage, async ({ caller, tx, params }) =>
    created(await sendScheduledMessage(tx, caller, params.scheduledMessageId)),
  )
}
