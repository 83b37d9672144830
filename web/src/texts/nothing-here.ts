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
  fr: {
    ended: {
      title: 'Votre session a pris fin',
      text: 'Vous avez été déconnecté, ici ou ailleurs. Les messages non envoyés sont gardés sur cet appareil.',
      signIn: 'Se reconnecter',
    },
    missingMessage: {
      title: 'Ce message n’est pas ici',
      text: 'Il a été supprimé, ou se trouve dans un sujet où vous n’êtes pas.',
    },
  },
  es: {
    ended: {
      title: 'Tu sesión ha terminado',
      text: 'Se cerró tu sesión, aquí o en otro sitio. Los mensajes sin enviar se guardan en este dispositivo.',
      signIn: 'Iniciar sesión de nuevo',
    },
    missingMessage: {
      title: 'Este mensaje no está aquí',
      text: 'Se eliminó o está en un tema en el que no estás.',
    },
  },
})
