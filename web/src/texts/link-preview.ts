import { texts } from './texts.ts'

/** Texts of link previews. Loaded with the first one. */
export const linkPreviewTexts = texts({
  en: { remove: 'Remove preview', removed: 'Preview removed for everyone.' },
  de: { remove: 'Vorschau entfernen', removed: 'Vorschau für alle entfernt.' },
})
