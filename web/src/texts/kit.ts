import { plural, texts } from './texts.ts'

export const kit = texts({
  en: {
    bot: 'Bot',
    guest: 'Guest',
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
  },
  de: {
    bot: 'Bot',
    guest: 'Gast',
    close: 'Schließen',
    dismiss: 'Ausblenden',
    cancel: 'Abbrechen',
    undo: 'Rückgängig',
    nothingFound: 'Nichts gefunden.',
    remove: (name) => `${name} entfernen`,
    unread: (count) =>
      plural.de(count, { one: '1 ungelesene Nachricht', other: `${count} ungelesene Nachrichten` }),
    mentions: (count) => plural.de(count, { one: 'erwähnt Sie einmal', other: `erwähnt Sie ${count}-mal` }),
  },
})
