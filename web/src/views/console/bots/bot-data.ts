import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { EventType } from '../../../../../contract/events.ts'
import type { BodyOf } from '../../../../../contract/operation.ts'
import type { BOT_STATES, ConsoleBot, readBot, updateBot } from '../../../../../contract/people/bots.ts'
import { call } from '../../../api/call.ts'
import { keys } from '../../../api/live.ts'
import { useMembership } from '../../../api/session.ts'
import type { Tone } from '../../../kit/notice.tsx'

export type Changes = BodyOf<typeof updateBot>

/** The path of a bot in the console. Its id holds an `@`. */
export function useBotPath(): (botId: string, tab?: string) => string {
  const { organizationId } = useMembership()
  return (botId, tab) => {
    const path = `/console/${organizationId}/bots/${encodeURIComponent(botId)}`
    return tab === undefined ? path : `${path}/${tab}`
  }
}

export function useBot(botId: string) {
  const { organizationId } = useMembership()
  return useQuery({
    queryKey: keys.of(organizationId, 'bot', botId, 'self'),
    queryFn: () =>
      call<typeof readBot>('GET', '/people/organizations/{organizationId}/bots/{botId}', {
        params: { organizationId, botId },
      }),
  })
}

/** Marks lists, pages and figures that show bots as stale. */
export function useBotsChanged(): () => Promise<void> {
  const { organizationId } = useMembership()
  const queries = useQueryClient()
  return async () => {
    await Promise.all([
      queries.invalidateQueries({ queryKey: keys.of(organizationId, 'bot') }),
      queries.invalidateQueries({ queryKey: keys.of(organizationId, 'overview') }),
    ])
  }
}

export function useUpdateBot(botId: string) {
  const { organizationId } = useMembership()
  const queries = useQueryClient()
  const changed = useBotsChanged()
  return useMutation({
    mutationFn: (body: Changes) =>
      call<typeof updateBot>('PATCH', '/people/organizations/{organizationId}/bots/{botId}', {
        params: { organizationId, botId },
        body,
      }),
    onSuccess: (bot) => {
      queries.setQueryData(keys.of(organizationId, 'bot', botId, 'self'), bot)
      void changed()
    },
  })
}

/** `paused`: its webhook; `held`: the bot itself. */
export type BotState = (typeof BOT_STATES)[number]

type Condition = { pausedAt?: number; failingSince?: number }

/** How a bot is: as badly as the worst of its addresses. */
export function stateOf(bot: ConsoleBot): BotState {
  const states = [bot.webhook, ...bot.addresses].map((address) => stateOfAddress(bot, address))
  const isWorse = (state: BotState) => state !== 'active' && state !== 'failing'
  return states.find(isWorse) ?? states.find((state) => state === 'failing') ?? 'active'
}

/** How one of its addresses is. */
export function stateOfAddress(bot: ConsoleBot, address: Condition): BotState {
  if (!bot.active) return 'off'
  if (bot.pausedAt !== undefined) return 'held'
  if (bot.delivery !== 'webhook') return 'active'
  if (address.pausedAt !== undefined) return 'paused'
  return address.failingSince === undefined ? 'active' : 'failing'
}

export const STATE_TONES: Record<BotState, Tone> = {
  active: 'good',
  off: 'plain',
  failing: 'warn',
  paused: 'bad',
  held: 'warn',
}

/** Every type, so that a new one cannot be forgotten here. */
const TYPES: Record<EventType, true> = {
  'message.created': true,
  'message.updated': true,
  'message.deleted': true,
  'reaction.added': true,
  'reaction.removed': true,
  'member.added': true,
  'member.removed': true,
  'topic.updated': true,
  'poll_vote.created': true,
  'poll_vote.deleted': true,
  'message.action': true,
  'question.closed': true,
  'message.command': true,
  'scheduled_message.failed': true,
}
export type WebhookEvent = NonNullable<ConsoleBot['webhook']['events']>[number]
const isEventType = (name: string): name is EventType => Object.hasOwn(TYPES, name)
export const EVENT_TYPES = Object.keys(TYPES).filter(isEventType)
export const TEST_EVENT = 'webhook.test'

/** The fields of a bot's forms, by their names in requests. */
export const BOT_FIELDS = { name: 'name', webhookUrl: 'url', webhookHeaders: 'headers' } as const
