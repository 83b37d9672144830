import { texts } from './texts.ts'

/** What a link leads to, below the message that has it. Loaded with the first one. */
export const linkPreviewTexts = texts({
  en: { remove: 'Remove the preview', removed: 'The preview is gone, for everyone.' },
  de: { remove: 'Vorschau entfernen', removed: 'Die Vorschau ist weg, für alle.' },
})
