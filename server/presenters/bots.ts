import type { ConsoleBot, ListedBot } from '../../contract/people/bots.ts'
import type { WebhookAddress } from '../../contract/people/webhook-addresses.ts'
import type { Used } from '../limits/bot-budgets.ts'
import type { BotActivity, BotRow, ListedBotRow } from '../queries/bots/bots.ts'
import type { WebhookAddressRow } from '../queries/bots/webhook-addresses.ts'

export const presentAddress = (row: WebhookAddressRow): WebhookAddress => ({
  id: row.id,
  url: row.url,
  events: row.events,
  headers: row.headers,
  ...(row.pausedAt !== null && { pausedAt: row.pausedAt }),
  ...(row.pauseReason !== null && { pauseReason: row.pauseReason }),
  ...(row.failingSince !== null && { failingSince: row.failingSince }),
  ...(row.formerSecretUntil !== null && { formerSecretUntil: row.formerSecretUntil }),
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
})

export const presentBot = (row: BotRow, usedToday?: Used): ConsoleBot => ({
  id: row.id,
  name: row.name,
  description: row.description,
  ...(row.photoId !== null && { photoId: row.photoId }),
  ...(row.ownerId !== null && { ownerId: row.ownerId }),
  ...(row.ownerName !== null && { ownerName: row.ownerName }),
  credential: row.credential,
  keyHint: row.keyHint,
  ...(row.credential === 'static'
    ? { permission: row.permission, signatureVersion: row.signatureVersion }
    : { scopes: row.scopes }),
  active: row.active,
  ...(row.pausedAt !== null && { pausedAt: row.pausedAt }),
  delivery: row.delivery,
  pollVoteEvents: row.pollVoteEvents,
  opensDirectMessages: row.opensDirectMessages,
  externalIdIsKey: row.externalIdIsKey,
  budget: { messagesPerDay: row.messagesPerDay, tokensPerDay: row.tokensPerDay },
  ...(usedToday && { usedToday }),
  webhook: {
    url: row.webhookUrl,
    gzip: row.webhookGzip,
    rate: row.webhookRate,
    events: row.webhookEvents,
    headers: row.webhookHeaders,
    ...(row.webhookPausedAt !== null && { pausedAt: row.webhookPausedAt }),
    ...(row.pauseReason !== null && { pauseReason: row.pauseReason }),
    ...(row.failingSince !== null && { failingSince: row.failingSince }),
  },
  addresses: row.addresses.map(presentAddress),
  ...(row.formerSecretUntil !== null && { formerSecretUntil: row.formerSecretUntil }),
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
})

export const presentListedBot = (row: ListedBotRow, activity: BotActivity = []): ListedBot => ({
  ...presentBot(row),
  topics: row.topics,
  ...(row.lastSeenAt !== null && { lastSeenAt: row.lastSeenAt }),
  activity: row.delivery === 'webhook' ? activity : [],
})
