import { plural, texts } from './texts.ts'

export const kit = texts({
  en: {
    bot: 'Bot',
    close: 'Close',
    dismiss: 'Dismiss',
    cancel: 'Cancel',
    undo: 'Undo',
    nothingFound: 'Nothing found.',
    remove: (name: string) => `Remove ${name}`,
    unread: (count: number) =>
      plural.en(count, { one: '1 unread message', other: `${count} unread messages` }),
    mentions: (count: number) =>
      plural.en(count, { one: 'mentions you once', other: `mentions you ${count} times` }),
    table: {
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
        text: 'Nothing fits these words and filters.',
        clear: 'Show all',
      },
    },
  },
  de: {
    bot: 'Bot',
    close: 'Schließen',
    dismiss: 'Ausblenden',
    cancel: 'Abbrechen',
    undo: 'Rückgängig',
    nothingFound: 'Nichts gefunden.',
    remove: (name) => `${name} entfernen`,
    unread: (count) =>
      plural.de(count, { one: '1 ungelesene Nachricht', other: `${count} ungelesene Nachrichten` }),
    mentions: (count) => plural.de(count, { one: 'erwähnt Sie einmal', other: `erwähnt Sie ${count}-mal` }),
    table: {
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
        text: 'Zu diesen Wörtern und Filtern passt nichts.',
        clear: 'Alle zeigen',
      },
    },
  },
})
