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
  description: 'In 24 hours, such as `22:30`',
})

/** A word or a few, without spaces around them. */
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
  { description: 'Nobody is disturbed between these times of their own day; `null`: there are none' },
)

const settingFields = {
  keywords: Type.Array(Keyword, {
    maxItems: LIMITS.keywords,
    description: 'Messages with one of these count as mentions',
  }),
  quietHours: QuietHours,
  timeZone: Type.String({
    minLength: 1,
    maxLength: LIMITS.timeZone,
    description: 'Where the quiet hours are meant, such as `Europe/Berlin`',
  }),
  notWhileActive: Type.Boolean({
    description: 'Other browsers and phones stay silent while they are active in one',
  }),
  mailAfterMinutes: Type.Enum(MAIL_AFTER_MINUTES, {
    description: 'After how long they are told by mail of what they have not read; 0: never',
  }),
}

/** A person's notification settings in one organization. Only that person sees them. */
export const NotificationSettings = Type.Object({
  ...settingFields,
  pushKey: Type.Union([Type.String(), Type.Null()], {
    description:
      'What browsers subscribe with (`applicationServerKey`); null where this server sends no push messages',
  }),
})
export type NotificationSettings = Static<typeof NotificationSettings>

const settingsExample: NotificationSettings = {
  keywords: ['release', 'on call'],
  quietHours: { from: '22:00', to: '07:00' },
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
  access: 'member',
  params: InOrganization(),
  success: { 200: { description: 'How it is', schema: NotificationSettings, example: settingsExample } },
})

export const updateNotificationSettings = peopleOperation({
  id: 'updateNotificationSettings',
  method: 'PATCH',
  path: `${CHAT}/notifications`,
  tag: TAG,
  summary: 'Change how one is notified',
  description: 'Counts from the next message on, in this organization. Nobody else sees it.',
  access: 'member',
  params: InOrganization(),
  body: Type.Partial(Type.Object(settingFields)),
  bodyExample: { quietHours: { from: '22:00', to: '07:00' }, timeZone: 'Europe/Berlin' },
  success: { 200: { description: 'How it is now', schema: NotificationSettings, example: settingsExample } },
  refusals: { 400: ['unknown time zone', 'quiet hours must end at another time than they begin'] },
})

export const tellActive = peopleOperation({
  id: 'tellActive',
  method: 'POST',
  path: `${CHAT}/active`,
  tag: TAG,
  summary: 'Tell that one is at work in this browser, or no longer',
  description:
    'Once a minute while somebody uses the page. It counts for 90 seconds; who has `notWhileActive` is not notified elsewhere meanwhile. Nothing of it is kept.',
  access: 'member',
  params: InOrganization(),
  body: Type.Object({ active: Type.Boolean() }),
  bodyExample: { active: true },
  success: { 204: { description: 'It is known' } },
})

/** The push subscription of a browser, as its `PushSubscription.toJSON()` writes it. */
export const PushSubscription = Type.Object(
  {
    endpoint: Type.String({ maxLength: 2048, description: 'Where its push service takes messages for it' }),
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

export const NOT_A_PUSH_SERVICE = 'this is not the address of a push service'

export const subscribeToPush = peopleOperation({
  id: 'subscribeToPush',
  method: 'POST',
  path: '/people/account/push',
  tag: ACCOUNT_TAG,
  summary: 'Notify this browser also when no page is open',
  description: `In place of what this session had before; it ends with the session. Of the browsers of one person the ${LIMITS.pushSubscriptions} latest count.`,
  access: 'account',
  body: PushSubscription,
  bodyExample: {
    endpoint: 'https://push.example.com/send/dV4x',
    keys: {
      p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
      auth: 'BTBZMqHH6r4Tts7J_aSIgg',
    },
  },
  success: { 204: { description: 'It is notified' } },
  refusals: { 400: [NOT_A_PUSH_SERVICE, 'this server sends no push messages'] },
})

export const unsubscribeFromPush = peopleOperation({
  id: 'unsubscribeFromPush',
  method: 'DELETE',
  path: '/people/account/push',
  tag: ACCOUNT_TAG,
  summary: 'No longer notify this browser',
  access: 'account',
  success: { 204: { description: 'It is not notified' } },
})
