import { addSentences } from './errors.ts'
import { byLanguage, texts } from './texts.ts'

addSentences(
  byLanguage<Record<string, string>>({
    en: {},
    de: {
      'reason is required': 'Geben Sie einen Grund ein.',
      'reason too long': 'Das ist zu lang.',
      'this message cannot be reported': 'Diese Nachricht lässt sich nicht melden.',
      'too many reports, please wait':
        'Zu viele Meldungen. Warten Sie ein paar Minuten und versuchen Sie es dann noch einmal.',
    },
  }),
)

/** Reporting a message, in the chat. */
export const reportTexts = texts({
  en: {
    title: 'Report this message',
    about:
      'Your organization’s admins see this message, your name and your reason, but no other messages. No one else is notified.',
    reason: 'What is wrong with it?',
    missing: 'Enter a reason.',
    action: 'Report',
    done: 'Reported to the admins.',
  },
  de: {
    title: 'Diese Nachricht melden',
    about:
      'Die Administratoren Ihrer Organisation sehen diese Nachricht, Ihren Namen und Ihren Grund, aber keine anderen Nachrichten. Sonst erfährt niemand davon.',
    reason: 'Worum geht es?',
    missing: 'Geben Sie einen Grund ein.',
    action: 'Melden',
    done: 'An die Administratoren gemeldet.',
  },
})
