import { LIMITS } from '../../../contract/limits.ts'
import * as contract from '../../../contract/messages.ts'
import type { BodyOf, MetaOf } from '../../../contract/operation.ts'
import { mayBeCommand } from '../../actions/commands.ts'
import { forwardMessage } from '../../actions/forwards.ts'
import { deleteMessage, editMessage, markMessage } from '../../actions/messages.ts'
import { acceptUpload } from '../../actions/uploads.ts'
import { permitAlso } from '../../auth/bots.ts'
import type { Caller } from '../../caller.ts'
import { badRequest, notFound } from '../../errors.ts'
import type { Page } from '../../events/recent-pages.ts'
import { inspectFiles, storeFiles } from '../../files/receive.ts'
import { created, json, noContent, ok } from '../../http/answers.ts'
import type { ConversationApi } from '../../http/conversation-api.ts'
import { cursors } from '../../http/cursor.ts'
import type { IdempotentRequest, WireAnswer } from '../../http/idempotency.ts'
import { wireOf } from '../../http/wire.ts'
import { writeOnce } from '../../http/write-once.ts'
import type { Parley } from '../../parley.ts'
import { presentMessage } from '../../presenters/messages.ts'
import {
  isTopicMember,
  listMessages,
  type MessageFilters,
  type MessagePlace,
  namedIn,
  readNames,
  readVisibleMessage,
} from '../../queries/messages.ts'
import { askQuestion } from './actions.ts'
import { sendCommand } from './commands.ts'
import { writeMessages } from './message-json.ts'
import { sendLater } from './scheduled-messages.ts'
import { beginStreaming } from './streaming.ts'

export function messageRoutes(api: ConversationApi): void {
  api.batches(
    contract.sendMessage,
    async ({ caller, body, parley, repeat, isGone }) => {
      const { forwardMessageId } = body
      const isText = !body.streaming && !body.actions && forwardMessageId === undefined
      refuseLoop(parley, caller, body.topicId, { isText })
      if (forwardMessageId !== undefined)
        return forward(parley, caller, { ...body, forwardMessageId }, repeat)
      if (body.streaming && body.actions) throw badRequest(contract.STREAMED_ACTIONS)
      if (body.streaming && body.sendAt !== undefined) throw badRequest(contract.STREAMED_LATER)
      if (body.streaming) return beginStreaming(parley, caller, body, repeat)
      const { text, sendAt } = body
      if (text === undefined) throw badRequest('text is required')
      if (sendAt !== undefined) return sendLater(parley, caller, { ...body, text, sendAt }, repeat)
      if (body.actions) return askQuestion(parley, caller, { ...body, text, actions: body.actions }, repeat)
      const isPerson = !caller.profileId.startsWith('b@')
      // Texts that are written together have no room for the assistant that wrote one.
      if (isPerson && (caller.assistant || mayBeCommand(text)))
        return sendCommand(parley, caller, { ...body, text }, repeat)
      const answer = await parley.messages.send(caller, { ...body, text }, { repeat, isGone })
      return 'kept' in answer ? answer.kept : created(answer.sent)
    },
    {
      turnsAway: ({ messages }, orgId) => messages.turnsAway(orgId),
      form: {
        prepare: async ({ caller, meta, files, parley }) => {
          const topicId = topicOf(meta)
          refuseLoop(parley, caller, topicId, { isText: false })
          const inspected = await inspectFiles(parley.images, caller.orgId, files)
          if (!(await isTopicMember(caller, parley.db, topicId))) throw notFound('Topic not found')
          const stored = await storeFiles(parley.files, caller.orgId, inspected)
          return { topicId, stored }
        },
        handler: async ({ caller, tx, meta, prepared: { topicId, stored } }) =>
          ok(await acceptUpload(tx, caller, { ...meta, topicId, attachments: stored })),
      },
    },
  )

  api.reads(contract.readMessage, async ({ caller, db, params, parley }) => {
    const message = await readVisibleMessage(caller, db, params.messageId)
    if (!message) throw notFound('Message not found')
    const names = await readNames(caller, db, namedIn(message))
    return ok(presentMessage(message, { names, now: parley.clock(), links: parley.links }))
  })

  api.reads(contract.listMessages, async ({ caller, params, query, parley }) => {
    parley.botLoops.heard(caller.orgId, caller.profileId)
    const { limit = LIMITS.pageDefault, cursor, ...wanted } = query
    if (wanted.before !== undefined && wanted.after !== undefined) {
      throw badRequest('before and after cannot be used together')
    }
    const list = cursors<MessageFilters, string>(
      parley.secrets,
      caller,
      `messages:${params.topicId.toLowerCase()}`,
    )
    const filters = { order: 'desc' as const, includeSystem: true, includeReactionUsers: false, ...wanted }
    const place = cursor === undefined ? { filters } : list.read(cursor)

    const { topicId } = params
    const name = `${topicId.toLowerCase()} ${limit} ${JSON.stringify(place)}`
    const payload = await parley.recentPages.read(caller, name, {
      isAllowed: () => isTopicMember(caller, parley.db, topicId),
      load: () => readPage(parley, caller, topicId, { ...place, limit }),
      end: ({ lastId }) => {
        if (lastId === undefined) return ',"hasMore":false}'
        const nextCursor = list.write({ filters: place.filters, after: lastId })
        return `,"nextCursor":${JSON.stringify(nextCursor)},"hasMore":true}`
      },
    })
    return json(200, payload)
  })

  api.writes(contract.editMessage, async ({ caller, tx, params, body }) =>
    ok(await editMessage(tx, caller, params.messageId, changeIn(body))),
  )

  api.writes(contract.deleteMessage, async ({ caller, tx, params }) => {
    await deleteMessage(tx, caller, params.messageId)
    return noContent()
  })

  api.writes(contract.markDelivered, async ({ caller, tx, params }) => {
    const { messageId, deliveredAt } = await markMessage(tx, caller, params.messageId, 'delivered')
    return ok({ messageId, deliveredAt })
  })

  api.writes(contract.markRead, async ({ caller, tx, params }) => {
    const { messageId, deliveredAt, readAt } = await markMessage(tx, caller, params.messageId, 'read')
    return ok({ messageId, readAt: readAt ?? deliveredAt })
  })
}

const sentWire = wireOf(contract.sendMessage)

async function forward(
  { db, secrets, identities }: Parley,
  caller: Caller,
  body: BodyOf<typeof contract.sendMessage> & { forwardMessageId: string },
  repeat: IdempotentRequest | undefined,
): Promise<WireAnswer> {
  if (body.streaming || body.actions || body.sendAt !== undefined)
    throw badRequest(contract.FORWARDED_OTHERWISE)
  // Forwarding reads a message: a caller who may only send must not get at the messages of others in this way.
  await permitAlso(identities, caller, contract.readMessage)
  return db.write(caller.orgId, (tx) =>
    writeOnce(tx, secrets, repeat, async () =>
      sentWire.write(created(await forwardMessage(tx, caller, body))),
    ),
  )
}

/** Bots that only answer each other wait. The writer of texts knows where there are several; for what else they send, nodes listen in any case. */
function refuseLoop(
  { botLoops }: Parley,
  { orgId, profileId }: Caller,
  topicId: string,
  { isText }: { isText: boolean },
): void {
  if (!profileId.startsWith('b@')) return
  const refusal = botLoops.refusalOf(orgId, topicId, profileId)
  if (refusal) throw refusal
  if (!isText) botLoops.watch(orgId)
}

function changeIn(body: BodyOf<typeof contract.editMessage>) {
  if (body.text === undefined && body.actions === undefined) throw badRequest('text is required')
  return body
}

/** Forms may name the topic in either way. */
function topicOf({ topicId, channelID }: MetaOf<typeof contract.sendMessage>): string {
  const named = topicId ?? channelID
  if (named === undefined) throw badRequest('topicId is required')
  if (channelID !== undefined && channelID.toLowerCase() !== named.toLowerCase()) {
    throw badRequest('topicId and channelID differ')
  }
  return named
}

async function readPage(parley: Parley, caller: Caller, topicId: string, place: MessagePlace): Promise<Page> {
  const { messages, lastId } = await listMessages(caller, parley.db, topicId, place)
  if (messages.length === 0 && !(await isTopicMember(caller, parley.db, topicId)))
    throw notFound('Topic not found')
  const { includeReactionUsers } = place.filters
  const written = await writeMessages(parley, caller, messages, { includeReactionUsers })
  return { json: Buffer.from(`{"messages":[${written.join(',')}]`), lastId }
}
