import { replayOne, replaySince, resumeBot } from '../../actions/bots/bot-webhooks.ts'
import { OPERATOR } from '../../actions/organization/audit.ts'
import { OperatorError } from '../../errors.ts'
import {
  type AttemptRow,
  type DeliveryRow,
  listDeliveries,
  readDelivery,
} from '../../queries/bots/deliveries.ts'
import { command, optional, required } from '../command.ts'
import { UsageError } from '../errors.ts'
import { findAddress, findBot } from '../find.ts'
import { withInstallation } from '../installation.ts'
import { columns } from '../output.ts'
import * as values from '../values.ts'

const LISTED = 20

const address = optional(values.addressId, 'A further address of the bot; the default is its first one')

export const list = command(
  {
    bot: required(values.botId, 'The bot'),
    state: optional(values.oneOf('pending', 'delivered', 'exhausted'), 'Only those in this state'),
    count: optional(values.count(1000), `How many of the newest; the default is ${LISTED}`),
    address,
  },
  ({ bot: botId, state, count = LISTED, address: addressId }) =>
    withInstallation('deliveries list', async ({ db }) => {
      const bot = await findAddress(db, botId, addressId)
      const deliveries = await listDeliveries(bot, db, { ...(state && { state }), limit: count })
      return {
        json: { botId, deliveries },
        lines:
          deliveries.length === 0
            ? [`${bot.name} has no such deliveries.`]
            : columns(deliveries.map((delivery) => [delivery.id, describeDelivery(delivery)])),
      }
    }),
)

const describeDelivery = ({ createdAt, type, state, attempts }: DeliveryRow) =>
  `${moment(createdAt)}  ${type.padEnd(17)}  ${state}, ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}`

export const show = command(
  {
    bot: required(values.botId, 'The bot'),
    delivery: required(values.deliveryId, 'The delivery'),
  },
  ({ bot: botId, delivery: id }) =>
    withInstallation('deliveries show', async ({ db }) => {
      const delivery = await readDelivery(await findBot(db, botId), db, id)
      if (!delivery)
        throw new OperatorError(`This bot has no delivery ${id}. \`parley deliveries list\` shows them.`)
      return {
        json: { botId, ...delivery },
        lines: [describeDelivery(delivery), '', ...delivery.history.flatMap(describeAttempt)],
      }
    }),
)

function describeAttempt({ number, at, outcome, status, durationMs, answer, error }: AttemptRow): string[] {
  const result = status === null ? outcome : `${outcome} ${status}`
  const said = answer ?? error
  return [`  ${number}.  ${moment(at)}  ${result}  ${durationMs} ms`, ...(said ? [`      ${said}`] : [])]
}

export const replay = command(
  {
    bot: required(values.botId, 'The bot'),
    delivery: optional(values.deliveryId, 'This delivery'),
    from: optional(values.time, 'Every event since then'),
    address,
  },
  async ({ bot: botId, delivery, from, address: addressId }) => {
    if ((delivery === undefined) === (from === undefined)) {
      throw new UsageError('Say what to send again: --delivery ID, or --from TIME.')
    }
    return withInstallation('deliveries replay', async ({ db }) => {
      const { name, ...place } = await findAddress(db, botId, addressId)
      const { orgId } = place
      if (delivery !== undefined) await db.write(orgId, (tx) => replayOne(tx, OPERATOR, botId, delivery))
      const replayed = from === undefined ? 1 : await replaySince(db, place, from, async () => OPERATOR)
      return { json: { botId, replayed }, lines: [`${name} is sent ${replayed} of its events again.`] }
    })
  },
)

export const resume = command(
  { bot: required(values.botId, 'The bot'), address },
  ({ bot: botId, address: addressId }) =>
    withInstallation('deliveries resume', async ({ db }) => {
      const { orgId, name } = await findAddress(db, botId, addressId)
      await db.write(orgId, (tx) => resumeBot(tx, OPERATOR, { botId, addressId }))
      return { json: { botId }, lines: [`${name} receives its events again, also those that it missed.`] }
    }),
)

const moment = (milliseconds: number) => new Date(milliseconds).toISOString()
