import { texts } from './texts.ts'

/** Texts of link previews. Loaded with the first one. */
export const linkPreviewTexts = texts({
  en: { remove: 'Remove the preview', removed: 'The preview is gone, for everyone.' },
  de: { remove: 'Vorschau entfernen', removed: 'Die Vorschau ist weg, für alle.' },
})
