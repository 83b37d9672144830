import { texts } from './texts.ts'

/** Texts of link previews. Loaded with the first one. */
export const linkPreviewTexts = texts({
  en: { remove: 'Remove preview', removed: 'Preview removed for everyone.' },
  de: { remove: 'Vorschau entfernen', removed: 'Vorschau für alle entfernt.' },
  fr: {
    remove: 'Retirer l’aperçu',
    removed: 'Aperçu retiré pour tout le monde.',
  },
  es: {
    remove: 'Quitar vista previa',
    removed: 'Vista previa quitada para todos.',
  },
})
