import { useQuery } from '@tanstack/react-query'
import type { ConsoleDelivery, readBotDelivery } from '../../../../../contract/people/bots.ts'
import { call } from '../../../api/call.ts'
import { keys } from '../../../api/live.ts'
import { useMembership } from '../../../api/session.ts'
import type { Tone } from '../../../kit/notice.tsx'
import { useNumber } from '../../../kit/number.ts'
import { deliveries as texts } from '../../../texts/deliveries.ts'
import { useTexts } from '../../../texts/texts.ts'

/** Interval while a delivery is pending, beside the stream's hints. */
const LOOK_AGAIN_MS = 1000

export const DELIVERY_TONES: Record<ConsoleDelivery['state'], Tone> = {
  pending: 'warn',
  delivered: 'good',
  exhausted: 'bad',
}

export const deliveryPath = (tab: string, deliveryId: string): string => `${tab}?delivery=${deliveryId}`

/** `isWatched`: until it was tried for the first time it is looked at again and again. */
export function useDelivery(botId: string, deliveryId: string, isWatched = false) {
  const { organizationId } = useMembership()
  return useQuery({
    queryKey: keys.of(organizationId, 'bot', botId, 'delivery', deliveryId),
    queryFn: () =>
      call<typeof readBotDelivery>(
        'GET',
        '/people/organizations/{organizationId}/bots/{botId}/deliveries/{deliveryId}',
        { params: { organizationId, botId, deliveryId } },
      ),
    refetchInterval: ({ state: { data } }) => (isWatched && data?.attempts === 0 ? LOOK_AGAIN_MS : false),
  })
}

/** One that failed and will be tried again is not simply waiting. */
export function useDeliveryStateName(): (delivery: ConsoleDelivery) => string {
  const t = useTexts(texts)
  return ({ state, attempts }) => (state === 'pending' && attempts > 0 ? t.retrying : t.states[state])
}

export function useDuration(): (ms: number) => string {
  const number = useNumber()
  return (ms) => (ms < 1000 ? `${number(ms)} ms` : `${number(Math.round(ms / 100) / 10)} s`)
}
