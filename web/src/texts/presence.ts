import { addSentences } from './errors.ts'
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
    hint: 'Everyone sees it beside your name.',
    ends: 'Ends',
    end: {
      never: 'When I change it',
      halfHour: 'In 30 minutes',
      hour: 'In an hour',
      hours: 'In 4 hours',
      today: 'At midnight',
      week: 'On Monday morning',
      same: (when: string) => `On ${when}, as it is`,
    },
    shownAs: 'You are shown as',
    active: 'Active while I use Parley',
    away: 'Away',
    dnd: 'Do not disturb',
    dndHint: 'You get no notifications and no mail until then. Reminders still come: you chose their time.',
    silence: 'Do not disturb ends',
    save: 'Save',
    clear: 'Clear the status',
    saved: 'Your status is saved.',
    until: (when: string) => `until ${when}`,
    dndUntil: (when: string) => `Not to be disturbed until ${when}`,
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
      same: (when) => `Am ${when}, wie bisher`,
    },
    shownAs: 'Angezeigt werden Sie als',
    active: 'Erreichbar, solange ich Parley benutze',
    away: 'Abwesend',
    dnd: 'Nicht stören',
    dndHint:
      'Bis dahin kommen keine Benachrichtigungen und keine Mails. Erinnerungen kommen trotzdem: deren Zeit haben Sie gewählt.',
    silence: '„Nicht stören“ endet',
    save: 'Speichern',
    clear: 'Status entfernen',
    saved: 'Ihr Status ist gespeichert.',
    until: (when) => `bis ${when}`,
    dndUntil: (when) => `Bis ${when} nicht zu stören`,
  },
})

addSentences(
  byLanguage<Record<string, string>>({
    en: {},
    de: {
      'statusEmoji must be one emoji': 'Zu einem Status gehört ein einziges Emoji.',
      'statusUntil and dndUntil must be in the future, at most 366 days ahead':
        'Wählen Sie ein Ende in der Zukunft, höchstens 366 Tage voraus.',
      'presence and status are switched off in this organization':
        'In dieser Organisation sind Anwesenheit und Status abgeschaltet.',
    },
  }),
)
