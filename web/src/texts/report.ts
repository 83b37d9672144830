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
    fr: {
      'field_required.reason': 'Saisissez un motif.',
      'field_too_long.reason': 'C’est trop long.',
      message_not_reportable: 'Ce message ne peut pas être signalé.',
      reports_limited: 'Trop de signalements. Patientez quelques minutes, puis réessayez.',
    },
    es: {
      'field_required.reason': 'Introduce un motivo.',
      'field_too_long.reason': 'Es demasiado largo.',
      message_not_reportable: 'Este mensaje no se puede denunciar.',
      reports_limited: 'Demasiadas denuncias. Espera unos minutos e inténtalo de nuevo.',
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
  fr: {
    title: 'Signaler ce message',
    about:
      'Les administrateurs de votre organisation voient ce message, votre nom et votre motif, mais aucun autre message. Personne d’autre n’est prévenu.',
    reason: 'Quel est le problème ?',
    missing: 'Saisissez un motif.',
    action: 'Signaler',
    done: 'Signalé aux administrateurs.',
  },
  es: {
    title: 'Denunciar este mensaje',
    about:
      'Los administradores de tu organización ven este mensaje, tu nombre y tu motivo, pero ningún otro mensaje. Nadie más recibe aviso.',
    reason: '¿Qué tiene de malo?',
    missing: 'Introduce un motivo.',
    action: 'Denunciar',
    done: 'Denunciado a los administradores.',
  },
})
