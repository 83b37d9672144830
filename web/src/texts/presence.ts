import { addSentences, type Sentences } from './errors.ts'
import { byLanguage, texts } from './texts.ts'

/** Texts for statuses: loaded with the window that sets them, and with profiles. */
export const presenceTexts = texts({
  en: {
    title: 'Your status',
    emoji: 'Emoji',
    chooseEmoji: 'Choose an emoji',
    noEmoji: 'No emoji',
    text: 'What are you doing?',
    placeholder: 'Back on Monday',
    hint: 'Everyone sees it next to your name.',
    ends: 'Ends',
    end: {
      never: 'When I change it',
      halfHour: 'In 30 minutes',
      hour: 'In an hour',
      hours: 'In 4 hours',
      today: 'At midnight',
      week: 'On Monday morning',
      same: (when: string) => `${when}, unchanged`,
    },
    shownAs: 'Show me as',
    active: 'Active while I use Parley',
    away: 'Away',
    dnd: 'Do not disturb',
    dndHint: 'No notifications and no mail until then. Reminders still arrive.',
    silence: 'Do not disturb ends',
    save: 'Save',
    clear: 'Clear status',
    saved: 'Status saved.',
    until: (when: string) => `until ${when}`,
    dndUntil: (when: string) => `Do not disturb until ${when}`,
  },
  de: {
    title: 'Ihr Status',
    emoji: 'Emoji',
    chooseEmoji: 'Emoji wählen',
    noEmoji: 'Kein Emoji',
    text: 'Was tun Sie gerade?',
    placeholder: 'Am Montag wieder da',
    hint: 'Alle sehen es neben Ihrem Namen.',
    ends: 'Endet',
    end: {
      never: 'Wenn ich ihn ändere',
      halfHour: 'In 30 Minuten',
      hour: 'In einer Stunde',
      hours: 'In 4 Stunden',
      today: 'Um Mitternacht',
      week: 'Am Montag früh',
      same: (when) => `${when}, wie bisher`,
    },
    shownAs: 'Anzeigen als',
    active: 'Erreichbar, solange ich Parley verwende',
    away: 'Abwesend',
    dnd: 'Nicht stören',
    dndHint: 'Bis dahin keine Benachrichtigungen und keine Mails. Erinnerungen kommen trotzdem.',
    silence: '„Nicht stören“ endet',
    save: 'Speichern',
    clear: 'Status entfernen',
    saved: 'Status gespeichert.',
    until: (when) => `bis ${when}`,
    dndUntil: (when) => `Nicht stören bis ${when}`,
  },
})

addSentences(
  byLanguage<Sentences>({
    en: {},
    de: {
      status_emoji_invalid: 'Zu einem Status gehört ein einziges Emoji.',
      status_time_invalid: 'Wählen Sie ein Ende in der Zukunft, höchstens 366 Tage voraus.',
      presence_disabled: 'In dieser Organisation sind Anwesenheit und Status abgeschaltet.',
    },
  }),
)
