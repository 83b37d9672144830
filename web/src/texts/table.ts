import { texts } from './texts.ts'

export const table = texts({
  en: {
    actions: 'Actions',
    actionsOf: (name: string) => `Actions for ${name}`,
    select: (name: string) => `Select ${name}`,
    selectAll: 'Select all on this page',
    selected: (count: number) => `${count} selected`,
    clearSelection: 'Clear selection',
    range: (first: number, last: number, total: number) => `${first} to ${last} of ${total}`,
    previous: 'Previous page',
    next: 'Next page',
    noMatch: {
      title: 'Nothing found',
      text: 'No entries match your search and filters.',
      clear: 'Show all',
    },
  },
  de: {
    actions: 'Aktionen',
    actionsOf: (name) => `Aktionen für ${name}`,
    select: (name) => `${name} auswählen`,
    selectAll: 'Alle auf dieser Seite auswählen',
    selected: (count) => `${count} ausgewählt`,
    clearSelection: 'Auswahl aufheben',
    range: (first, last, total) => `${first} bis ${last} von ${total}`,
    previous: 'Vorige Seite',
    next: 'Nächste Seite',
    noMatch: {
      title: 'Nichts gefunden',
      text: 'Keine Einträge passen zu Suche und Filtern.',
      clear: 'Alle anzeigen',
    },
  },
})
