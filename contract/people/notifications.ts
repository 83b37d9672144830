import { type Static, Type } from 'typebox'
import { LIMITS } from '../limits.ts'
import { peopleOperation } from '../operation.ts'
import { CHAT } from './chat.ts'
import { InOrganization } from './common.ts'
import { TAG as ACCOUNT_TAG } from './session.ts'

const TAG = 'People: chat'

/** Minutes after which unread messages may be mailed to a person; 0 means never. */
export const MAIL_AFTER_MINUTES = [0, 15, 60, 240, 1440] as const

const TimeOfDay = Type.String({
  pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$',
  description: 'A time in 24 hours, such as `22:30`',
})

/** A word or a few, trimmed. */
const Keyword = Type.String({
  minLength: 1,
  maxLength: LIMITS.keyword,
  pattern: '^[^\\S\\p{Cc}]*[^\\s\\p{Cc}][^\\p{Cc}]*$',
  description: 'Whole words, in any case',
})

const QuietHours = Type.Union(
  [
    Type.Object({
      from: TimeOfDay,
      to: TimeOfDay,
    }),
    Type.Null(),
  ],
  { description: 'No notifications between these times of the person’s day; `null`: no quiet hours' },
)

const settingFields = {
  keywords: Type.Array(Keyword, {
    maxItems: LIMITS.keywords,
    description: 'Messages with one of these count as mentions',
  }),
  quietHours: QuietHours,
  quietDays: Type.Array(Type.Integer({ minimum: 1, maximum: 7 }), {
    maxItems: 7,
    description: 'Days of the person’s week without notifications: 1 is Monday, 7 is Sunday',
  }),
  timeZone: Type.String({
    minLength: 1,
    maxLength: LIMITS.timeZone,
    description: 'The time zone of quiet hours and days, such as `Europe/Berlin`',
  }),
  notWhileActive: Type.Boolean({
    description: 'Other browsers and phones stay silent while they are active in one',
  }),
  mailAfterMinutes: Type.Enum(MAIL_AFTER_MINUTES, {
    description: 'Minutes after which unread messages are mailed; 0: never',
  }),
}

/** A person's notification settings in one organization. Only that person sees them. */
export const NotificationSettings = Type.Object({
  ...settingFields,
  pushKey: Type.Union([Type.String(), Type.Null()], {
    description:
      'The `applicationServerKey` with which browsers subscribe; null if this server sends no push messages',
  }),
})
export type NotificationSettings = Static<typeof NotificationSettings>

const settingsExample: NotificationSettings = {
  keywords: ['release', 'on call'],
  quietHours: { from: '22:00', to: '07:00' },
  quietDays: [6, 7],
  timeZone: 'Europe/Berlin',
  notWhileActive: true,
  mailAfterMinutes: 60,
  pushKey: 'BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8',
}

export const readNotificationSettings = peopleOperation({
  id: 'readNotificationSettings',
  method: 'GET',
  path: `${CHAT}/notifications`,
  tag: TAG,
  summary: 'Read how one is notified',
  access: 'guest',
  params: InOrganization(),
  success: { 200: { description: 'How it is', schema: NotificationSettings, example: settingsExample } },
})

export const updateNotificationSettings = peopleOperation({
  id: 'updateNotificationSettings',
  method: 'PATCH',
  path: `${CHAT}/notifications`,
  tag: TAG,
  summary: 'Change how one is notified',
  description: 'Applies from the next message on, in this organization. Only the person sees it.',
  access: 'guest',
  params: InOrganization(),
  body: Type.Partial(Type.Object(settingFields)),
  bodyExample: { quietHours: { from: '22:00', to: '07:00' }, timeZone: 'Europe/Berlin' },
  success: {
    200: { description: 'The current settings', schema: NotificationSettings, example: settingsExample },
  },
  refusals: ['time_zone_unknown', 'quiet_hours_empty'],
})

export const tellActive = peopleOperation({
  id: 'tellActive',
  method: 'POST',
  path: `${CHAT}/active`,
  tag: TAG,
  summary: 'Report activity in this browser',
  description:
    'Send it once a minute while the person uses the page. It lasts for 90 seconds; a person with `notWhileActive` gets no notifications elsewhere during that time. It is not stored.',
  access: 'guest',
  params: InOrganization(),
  body: Type.Object({ active: Type.Boolean() }),
  bodyExample: { active: true },
  success: { 204: { description: 'The activity was noted' } },
})

/** The push subscription of a browser, as its `PushSubscription.toJSON()` writes it. */
export const PushSubscription = Type.Object(
  {
    endpoint: Type.String({ maxLength: 2048, description: 'The address of its push service' }),
    keys: Type.Object({
      p256dh: Type.String({
        pattern: '^[A-Za-z0-9_-]{87}=?$',
        description: 'The public key of the browser: what is sent is encrypted for it',
      }),
      auth: Type.String({ pattern: '^[A-Za-z0-9_-]{22}(==)?$', description: 'A secret of the browser' }),
    }),
  },
  { 'x-open': true },
)
export type PushSubscription = Static<typeof PushSubscription>

export const subscribeToPush = peopleOperation({
  id: 'subscribeToPush',
  method: 'POST',
  path: '/people/account/push',
  tag: ACCOUNT_TAG,
  summary: 'Notify this browser also when no page is open',
  description: `Replaces the former subscription of this session, and ends with the session. The ${LIMITS.pushSubscriptions} latest subscriptions of a person are kept.`,
  access: 'account',
  body: PushSubscription,
  bodyExample: {
    endpoint: 'https://push.example.com/send/dV4x',
    keys: {
      p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
      auth: 'BTBZMqHH6r4Tts7J_aSIgg',
    },
  },
  success: { 204: { description: 'The browser gets notifications' } },
  refusals: ['push_address_invalid', 'push_not_available'],
})

export const unsubscribeFromPush = peopleOperation({
  id: 'unsubscribeFromPush',
  method: 'DELETE',
  path: '/people/account/push',
  tag: ACCOUNT_TAG,
  summary: 'No longer notify this browser',
  access: 'account',
  success: { 204: { description: 'The browser gets no notifications' } },
})
