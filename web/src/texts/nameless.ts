import { texts } from './texts.ts'

export const nameless = texts({
  en: { name: 'Deleted member' },
  de: { name: 'Gelöschtes Mitglied' },
  fr: { name: 'Membre supprimé' },
  es: { name: 'Miembro eliminado' },
})
