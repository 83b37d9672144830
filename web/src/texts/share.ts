import { texts } from './texts.ts'

/** Texts for sending content that another app shares. */
export const shareTexts = texts({
  en: {
    title: 'Send to …',
    organization: 'Organization',
    to: 'To',
    placeholder: 'Topic or person',
    hint: 'You can edit it before you send it.',
    act: 'Continue',
    lost: 'Nothing arrived because Parley was not ready. Share it again.',
  },
  de: {
    title: 'Senden an …',
    organization: 'Organisation',
    to: 'An',
    placeholder: 'Thema oder Person',
    hint: 'Sie können es vor dem Senden bearbeiten.',
    act: 'Weiter',
    lost: 'Es ist nichts angekommen, weil Parley noch nicht bereit war. Teilen Sie es noch einmal.',
  },
  fr: {
    title: 'Envoyer à …',
    organization: 'Organisation',
    to: 'À',
    placeholder: 'Sujet ou personne',
    hint: 'Vous pourrez le modifier avant l’envoi.',
    act: 'Continuer',
    lost: 'Rien n’est arrivé, car Parley n’était pas prêt. Partagez de nouveau.',
  },
  es: {
    title: 'Enviar a…',
    organization: 'Organización',
    to: 'Para',
    placeholder: 'Tema o persona',
    hint: 'Puedes editarlo antes de enviarlo.',
    act: 'Continuar',
    lost: 'No llegó nada porque Parley no estaba listo. Compártelo de nuevo.',
  },
})
