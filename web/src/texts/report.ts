import { addSentences } from './errors.ts'
import { byLanguage, texts } from './texts.ts'

addSentences(
  byLanguage<Record<string, string>>({
    en: {},
    de: {
      'reason is required': 'Bitte schreiben Sie, worum es geht.',
      'reason too long': 'Das ist zu lang.',
      'this message cannot be reported': 'Diese Nachricht lässt sich nicht melden.',
      'too many reports, please wait': 'Zu viele Meldungen. Bitte warten Sie ein wenig.',
    },
  }),
)

/** Reporting a message, in the chat. */
export const reportTexts = texts({
  en: {
    title: 'Report this message',
    about:
      'The admins of the organization see this message, your name and your reason, and nothing that was said around it. Nobody else learns of it.',
    reason: 'What is wrong with it?',
    missing: 'Write what is wrong with it.',
    action: 'Report',
    done: 'Reported to the admins.',
  },
  de: {
    title: 'Diese Nachricht melden',
    about:
      'Die Administratoren der Organisation sehen diese Nachricht, aber nichts von dem, was daneben gesagt wurde, Ihren Namen und Ihren Grund. Sonst erfährt niemand davon.',
    reason: 'Worum geht es?',
    missing: 'Schreiben Sie, worum es geht.',
    action: 'Melden',
    done: 'An die Administratoren gemeldet.',
  },
})
