import { useQuery } from '@tanstack/react-query'
import type { IncomingFormat } from '../../../../../contract/incoming.ts'
import type {
  IncomingCall,
  listIncomingCalls,
  listIncomingWebhooks,
} from '../../../../../contract/people/incoming-webhooks.ts'
import { call } from '../../../api/call.ts'
import { keys } from '../../../api/live.ts'
import { useMembership } from '../../../api/session.ts'
import type { Tone } from '../../../kit/notice.tsx'

/** Calls come without a word from the stream: while they are looked at, they are read again. */
const LOOK_AGAIN_MS = 3000

/** Every format, so that a new one cannot be forgotten here. */
const FORMATS: Record<IncomingFormat, true> = {
  auto: true,
  slack: true,
  github: true,
  gitlab: true,
  grafana: true,
  alertmanager: true,
  sentry: true,
  text: true,
  generic: true,
}
const isFormat = (name: string): name is IncomingFormat => Object.hasOwn(FORMATS, name)
export const INCOMING_FORMATS = Object.keys(FORMATS).filter(isFormat)

/** Hours that the previous address stays valid. */
export const OVERLAP_HOURS = { none: 0, hour: 1, day: 24, week: 168 }
export const OVERLAPS = ['none', 'hour', 'day', 'week'] as const

export function useIncomingWebhooks(botId: string) {
  const { organizationId } = useMembership()
  return useQuery({
    queryKey: keys.of(organizationId, 'bot', botId, 'incoming'),
    queryFn: () =>
      call<typeof listIncomingWebhooks>(
        'GET',
        '/people/organizations/{organizationId}/bots/{botId}/incoming-webhooks',
        { params: { organizationId, botId } },
      ),
  })
}

export function useCalls(botId: string, incomingWebhookId: string) {
  const { organizationId } = useMembership()
  return useQuery({
    queryKey: keys.of(organizationId, 'bot', botId, 'incoming', incomingWebhookId, 'calls'),
    queryFn: () =>
      call<typeof listIncomingCalls>(
        'GET',
        '/people/organizations/{organizationId}/bots/{botId}/incoming-webhooks/{incomingWebhookId}/calls',
        { params: { organizationId, botId, incomingWebhookId } },
      ),
    refetchInterval: LOOK_AGAIN_MS,
  })
}

/** Taken and not told is neither good nor bad. */
export function toneOf({ status, reason }: IncomingCall): Tone {
  if (status >= 400) return 'bad'
  return reason === 'ignored' ? 'plain' : 'good'
}
