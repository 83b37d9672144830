import { texts } from './texts.ts'

export const kit = texts({
  en: {
    bot: 'Bot',
    close: 'Close',
    cancel: 'Cancel',
    undo: 'Undo',
    nothingFound: 'Nothing found.',
    remove: (name: string) => `Remove ${name}`,
    unread: (count: number) => (count === 1 ? '1 unread message' : `${count} unread messages`),
    mentions: (count: number) => (count === 1 ? 'mentions you once' : `mentions you ${count} times`),
  },
  de: {
    bot: 'Bot',
    close: 'Schließen',
    cancel: 'Abbrechen',
    undo: 'Rückgängig',
    nothingFound: 'Nichts gefunden.',
    remove: (name) => `${name} entfernen`,
    unread: (count) => (count === 1 ? '1 ungelesene Nachricht' : `${count} ungelesene Nachrichten`),
    mentions: (count) => (count === 1 ? 'erwähnt Sie einmal' : `erwähnt Sie ${count}-mal`),
  },
})
