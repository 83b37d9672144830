import { addSentences, type Sentences } from './errors.ts'
import { byLanguage, texts } from './texts.ts'

addSentences(
  byLanguage<Sentences>({
    en: {},
    de: {
      'field_required.reason': 'Geben Sie einen Grund ein.',
      'field_too_long.reason': 'Das ist zu lang.',
      message_not_reportable: 'Diese Nachricht lässt sich nicht melden.',
      reports_limited:
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
