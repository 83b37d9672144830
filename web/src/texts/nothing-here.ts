import { texts } from './texts.ts'

/** In place of the chat: a session that is over, a link that leads nowhere. Loaded with them. */
export const nothingHere = texts({
  en: {
    ended: {
      title: 'Your session has ended',
      text: 'You were signed out, here or elsewhere. What you wrote and did not send is kept on this device.',
      signIn: 'Sign in again',
    },
    missingMessage: {
      title: 'This message is not here',
      text: 'It was deleted, or it is in a topic that you are not in.',
    },
  },
  de: {
    ended: {
      title: 'Ihre Sitzung ist beendet',
      text: 'Sie wurden hier oder anderswo abgemeldet. Was Sie geschrieben und nicht gesendet haben, bleibt auf diesem Gerät.',
      signIn: 'Wieder anmelden',
    },
    missingMessage: {
      title: 'Diese Nachricht ist nicht hier',
      text: 'Sie wurde gelöscht, oder sie steht in einem Thema, in dem Sie nicht sind.',
    },
  },
})
