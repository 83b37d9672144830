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
  fr: {
    bot: 'Bot',
    guest: 'Invité',
    close: 'Fermer',
    dismiss: 'Masquer',
    cancel: 'Annuler',
    undo: 'Annuler',
    nothingFound: 'Aucun résultat.',
    remove: (name) => `Retirer ${name}`,
    unread: (count) =>
      plural.fr(count, { one: `${count} message non lu`, other: `${count} messages non lus` }),
    mentions: (count) =>
      plural.fr(count, { one: `vous mentionne ${count} fois`, other: `vous mentionne ${count} fois` }),
  },
  es: {
    bot: 'Bot',
    guest: 'Invitado',
    close: 'Cerrar',
    dismiss: 'Ocultar',
    cancel: 'Cancelar',
    undo: 'Deshacer',
    nothingFound: 'No se encontró nada.',
    remove: (name) => `Quitar ${name}`,
    unread: (count) => plural.es(count, { one: '1 mensaje sin leer', other: `${count} mensajes sin leer` }),
    mentions: (count) =>
      plural.es(count, { one: 'te menciona una vez', other: `te menciona ${count} veces` }),
  },
})
