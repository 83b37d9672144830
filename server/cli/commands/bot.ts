import { LIMITS } from '../../../contract/limits.ts'
import { createOAuthBot, createStaticBot, type Delivery, setBot } from '../../actions/bots/bots.ts'
import { audit, changesBetween, OPERATOR } from '../../actions/organization/audit.ts'
import { createTopic } from '../../actions/topics/topics.ts'
import type { Config } from '../../config.ts'
import type { Transaction } from '../../db/transaction.ts'
import { dayOf, readUsed, type Used } from '../../limits/bot-budgets.ts'
import { checkUrlForm } from '../../network/url.ts'
import { firstCodePoints } from '../../text.ts'
import { type CommandOutput, command, optional, required } from '../command.ts'
import { UsageError } from '../errors.ts'
import { type BotSettingsRow, findBot, findOrganization } from '../find.ts'
import { withInstallation } from '../installation.ts'
import { columns, SHOWN_ONCE } from '../output.ts'
import * as values from '../values.ts'

const permission = values.oneOf('read', 'write')
const delivery = values.oneOf('polling', 'webhook')

export const create = command(
  {
    org: required(values.organizationId, 'The organization'),
    name: required(values.name(LIMITS.botName), 'Name of the bot'),
    credential: required(values.oneOf('static', 'oauth'), 'A key that signs requests, or access tokens'),
    permission: optional(permission, 'What a static key may do; the default is write'),
    scopes: optional(values.scopes, 'What the tokens of an oauth bot may do; the default is everything'),
    delivery: optional(delivery, 'How it receives events; the default is polling'),
    'webhook-url': optional(values.webhookUrl, 'Where to, with --delivery webhook'),
    events: optional(values.oneOf('poll_votes'), 'Events that are off by default'),
    'control-topic': optional(
      values.profileIds,
      'People of a new topic with the bot; shows the one token that agent plugins take',
    ),
  },
  async ({ org, name, credential, ...options }) => {
    const { permission, scopes, delivery, 'webhook-url': webhookUrl, 'control-topic': people } = options
    if (people !== undefined && credential === 'oauth') throw onlyFor('control-topic', 'static')
    if (permission !== undefined && credential === 'oauth') throw onlyFor('permission', 'static')
    if (scopes !== undefined && credential === 'static') throw onlyFor('scopes', 'oauth')
    const bot = { name, pollVoteEvents: options.events !== undefined, ...deliveryOf(delivery, webhookUrl) }

    return withInstallation('bot create', async ({ config, db, secrets }) => {
      checkAddress(webhookUrl, config)
      await findOrganization(db, org)
      if (credential === 'static') {
        const { made, control } = await db.write(org, async (tx) => {
          const created = await createStaticBot(tx, secrets, { ...bot, permission: permission ?? 'write' })
          await auditCreated(tx, created.botId, name)
          return { made: created, control: people && (await makeControlTopic(tx, created, name, people)) }
        })
        const shown: [string, string][] = control
          ? [
              ['Control topic', control.controlTopicId],
              ['One token', control.token],
            ]
          : []
        const keys: [string, string][] = [
          ['API key', made.apiKey],
          ['API secret', made.apiSecret],
        ]
        return describeNew(name, { ...made, ...control }, ...keys, ...shown)
      }
      const made = await db.write(org, async (tx) => {
        const created = await createOAuthBot(tx, secrets, { ...bot, ...(scopes && { scopes }) })
        await auditCreated(tx, created.botId, name)
        return created
      })
      return describeNew(name, made, ['Client id', made.clientId], ['Client secret', made.clientSecret])
    })
  },
)

/** Makes the topic of the bot, named like it, and a token for agent plugins: the topic's id, the key and the secret in one. */
async function makeControlTopic(
  tx: Transaction,
  { botId, apiKey, apiSecret }: { botId: string; apiKey: string; apiSecret: string },
  name: string,
  members: readonly string[],
): Promise<{ controlTopicId: string; token: string }> {
  const topic = { createdBy: botId, name: firstCodePoints(name, LIMITS.topicName), members }
  const { id: controlTopicId } = await createTopic(tx, topic)
  const token = Buffer.from(`${controlTopicId}:${apiKey}:${apiSecret}`).toString('base64')
  return { controlTopicId, token }
}

const auditCreated = (tx: Transaction, id: string, name: string): Promise<void> =>
  audit(tx, OPERATOR, { action: 'bot.created', target: { type: 'bot', id, name } })

export const set = command(
  {
    bot: required(values.botId, 'The bot'),
    name: optional(values.name(LIMITS.botName), 'Name of the bot'),
    permission: optional(permission, 'What a static key may do'),
    scopes: optional(values.scopes, 'What the tokens of an oauth bot may do'),
    'signature-version': optional(
      values.signatureVersion,
      'Signatures that a static key accepts: 1 (both versions) or 2 (only 2)',
    ),
    delivery: optional(delivery, 'How it receives events'),
    'webhook-url': optional(values.webhookUrl, 'Where to, with --delivery webhook'),
    events: optional(values.oneOf('poll_votes', 'none'), 'Events that are off by default'),
    'direct-messages': optional(
      values.oneOf('open', 'none'),
      'Whether it opens direct messages with people who share a topic with it',
    ),
    'external-id': optional(
      values.oneOf('key', 'note'),
      'Whether a repeated externalId gets the first answer again, as an Idempotency-Key does, or is only noted',
    ),
    'messages-per-day': optional(values.budget, 'Messages that it may send in a day (UTC)'),
    'tokens-per-day': optional(values.budget, 'Tokens that it may use in a day, by its own report'),
  },
  async ({ bot: botId, events, name, permission, scopes, delivery, ...options }) => {
    const { 'webhook-url': webhookUrl, 'signature-version': signatureVersion } = options
    const { 'direct-messages': directMessages, 'external-id': externalId } = options
    const { 'messages-per-day': messagesPerDay, 'tokens-per-day': tokensPerDay } = options
    const settings = {
      ...(name !== undefined && { name }),
      ...(permission !== undefined && { permission }),
      ...(scopes !== undefined && { scopes }),
      ...(signatureVersion !== undefined && { signatureVersion }),
      ...(delivery !== undefined && { delivery }),
      ...(webhookUrl !== undefined && { webhookUrl }),
      ...(events !== undefined && { pollVoteEvents: events === 'poll_votes' }),
      ...(directMessages !== undefined && { opensDirectMessages: directMessages === 'open' }),
      ...(externalId !== undefined && { externalIdIsKey: externalId === 'key' }),
      ...(messagesPerDay !== undefined && { messagesPerDay }),
      ...(tokensPerDay !== undefined && { tokensPerDay }),
    }
    if (Object.keys(settings).length === 0)
      throw new UsageError('Nothing to set: give at least one setting of the bot.')

    return withInstallation('bot set', async ({ config, db }) => {
      checkAddress(webhookUrl, config)
      const bot = await findBot(db, botId)
      if (permission !== undefined && bot.credential === 'oauth') throw onlyFor('permission', 'static')
      if (signatureVersion !== undefined && bot.credential === 'oauth')
        throw onlyFor('signature-version', 'static')
      if (scopes !== undefined && bot.credential === 'static') throw onlyFor('scopes', 'oauth')
      if (delivery === 'webhook') {
        const kept = deliveryOf(delivery, webhookUrl ?? bot.webhookUrl ?? undefined)
        if (kept.delivery === 'webhook') checkAddress(kept.webhookUrl, config)
      }
      await db.write(bot.orgId, async (tx) => {
        await setBot(tx, botId, settings)
        const changes = changesBetween(bot, settings)
        if (changes.length === 0) return
        const target = { type: 'bot', id: botId, name: name ?? bot.name } as const
        await audit(tx, OPERATOR, { action: 'bot.changed', target, changes })
      })
      return describeSettings(await findBot(db, botId), await readUsed(db, bot, dayOf(db.clock())))
    })
  },
)

export const addresses = command({ bot: required(values.botId, 'The bot') }, ({ bot: botId }) =>
  withInstallation('bot addresses', async ({ db }) => {
    const { name, webhookUrl, addresses: further } = await findBot(db, botId)
    const lines = [
      ...(webhookUrl === null ? [] : [['first', webhookUrl] as const]),
      ...further.map((address) => [address.id, `${address.url}${conditionOf(address)}`] as const),
    ]
    return {
      json: {
        botId,
        ...(webhookUrl !== null && { webhookUrl }),
        addresses: further.map(({ id, url }) => ({ id, url })),
      },
      lines: lines.length === 0 ? [`The webhook of "${name}" has no address.`] : columns(lines),
    }
  }),
)

function conditionOf({ pausedAt, failingSince }: BotSettingsRow['addresses'][number]): string {
  if (pausedAt !== null) return ' (paused)'
  return failingSince === null ? '' : ' (failing)'
}

function deliveryOf(delivery: 'polling' | 'webhook' | undefined, webhookUrl: string | undefined): Delivery {
  if (delivery === 'webhook') {
    if (webhookUrl === undefined) throw new UsageError('--delivery webhook also needs --webhook-url URL.')
    return { delivery, webhookUrl }
  }
  if (webhookUrl !== undefined) throw new UsageError('--webhook-url is for --delivery webhook: give both.')
  return { delivery: 'polling' }
}

const onlyFor = (option: string, credential: string) =>
  new UsageError(`--${option} is only for bots with --credential ${credential}. Leave it out.`)

/** The server checks the allowed networks when it connects. */
function checkAddress(webhookUrl: string | undefined, config: Config): void {
  const mistake = webhookUrl === undefined ? undefined : checkUrlForm(config, webhookUrl)
  if (mistake) throw new UsageError(`--webhook-url: ${mistake.message}.`)
}

function describeNew(
  name: string,
  made: { botId: string },
  ...credentials: readonly (readonly [string, string])[]
): CommandOutput {
  return {
    json: made,
    lines: [
      `Created the bot "${name}".`,
      '',
      ...columns([['Bot', made.botId], ...credentials]),
      '',
      SHOWN_ONCE,
    ],
  }
}

function describeSettings(bot: BotSettingsRow, usedToday: Used): CommandOutput {
  const { botId, name, credential, permission, scopes, delivery, webhookUrl, pollVoteEvents, active } = bot
  const { signatureVersion, addresses: further, messagesPerDay, tokensPerDay, opensDirectMessages } = bot
  const events = pollVoteEvents ? ['poll_votes'] : []
  const allowed = credential === 'static' ? { permission, signatureVersion } : { scopes }
  return {
    json: {
      botId,
      name,
      credential,
      ...allowed,
      delivery,
      ...(webhookUrl !== null && { webhookUrl }),
      ...(further.length > 0 && { addresses: further.map(({ id, url }) => ({ id, url })) }),
      events,
      ...(opensDirectMessages && { directMessages: 'open' }),
      ...(bot.externalIdIsKey && { externalId: 'key' }),
      ...(messagesPerDay !== null && { messagesPerDay }),
      ...(tokensPerDay !== null && { tokensPerDay }),
      usedToday,
      active,
    },
    lines: [
      `The bot "${name}" is set.`,
      '',
      ...columns([
        ['Bot', botId],
        ...(credential === 'static'
          ? ([
              ['Permission', permission],
              ['Signatures', signatureVersion === 2 ? 'version 2 only' : 'versions 1 and 2'],
            ] as const)
          : ([['Scopes', scopes.join(' ')]] as const)),
        ['Delivery', webhookUrl === null ? delivery : `${delivery} (${webhookUrl})`],
        ...further.map(({ url }) => ['Further address', url] as const),
        ['Extra events', events.join(' ') || 'none'],
        ['Messages today', `${usedToday.messages} of ${messagesPerDay ?? 'any number'}`],
        ['Tokens today', `${usedToday.tokens} of ${tokensPerDay ?? 'any number'}`],
        ['Active', active ? 'yes' : 'no'],
      ]),
    ],
  }
}
