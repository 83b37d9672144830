import { texts } from './texts.ts'

/** Texts for sending content that another app shares. */
export const shareTexts = texts({
  en: {
    title: 'Send to …',
    organization: 'Organization',
    to: 'To',
    placeholder: 'Topic or person',
    hint: 'You can still change it before you send it.',
    act: 'Continue',
    lost: 'Nothing arrived here. Parley was not ready for it: please share it again.',
  },
  de: {
    title: 'Senden an …',
    organization: 'Organisation',
    to: 'An',
    placeholder: 'Thema oder Person',
    hint: 'Sie können es noch ändern, bevor Sie es senden.',
    act: 'Weiter',
    lost: 'Hier ist nichts angekommen. Parley war noch nicht bereit: Bitte teilen Sie es noch einmal.',
  },
})
