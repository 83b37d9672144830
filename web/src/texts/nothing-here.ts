import { texts } from './texts.ts'

/** Texts that replace the chat: an ended session, a link without a target. Loaded with their views. */
export const nothingHere = texts({
  en: {
    ended: {
      title: 'Your session has ended',
      text: 'You were signed out, here or elsewhere. Unsent messages are kept on this device.',
      signIn: 'Sign in again',
    },
    missingMessage: {
      title: 'This message is not here',
      text: 'It was deleted, or it is in a topic you are not in.',
    },
  },
  de: {
    ended: {
      title: 'Ihre Sitzung ist beendet',
      text: 'Sie wurden hier oder anderswo abgemeldet. Nicht gesendete Nachrichten bleiben auf diesem Gerät.',
      signIn: 'Erneut anmelden',
    },
    missingMessage: {
      title: 'Nachricht nicht gefunden',
      text: 'Sie wurde gelöscht, oder sie steht in einem Thema, in dem Sie nicht sind.',
    },
  },
})
