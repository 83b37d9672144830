import { plural, texts } from './texts.ts'

/** How long messages are kept, and what is kept against being deleted: for admins. */
export const recordsTexts = texts({
  en: {
    title: 'Records',
    about: 'How long messages are kept. Every change here is in the audit log.',
    keep: {
      title: 'Keep messages',
      about:
        'Counts for all topics and direct messages, but for topics that say otherwise. What is older is deleted for good, with its files.',
      legend: 'How long messages are kept',
      forEver: 'For ever',
      organization: 'As the organization says',
      days: 'For a number of days',
      label: 'Days',
      invalid: (most: string) => `Enter a whole number from 1 to ${most}.`,
      save: 'Save how long messages are kept',
      saved: 'How long messages are kept was saved.',
      forEverNow: 'Messages are kept for ever.',
      daysNow: (count: number, shown: string) =>
        plural.en(count, {
          one: 'Messages are kept for 1 day.',
          other: `Messages are kept for ${shown} days.`,
        }),
      costs: {
        title: (count: number, shown: string) =>
          plural.en(count, { one: 'Delete 1 message?', other: `Delete ${shown} messages?` }),
        text: (count: number, shown: string, days: string) =>
          plural.en(count, {
            one: `1 message older than ${days} will be deleted.`,
            other: `${shown} messages older than ${days} will be deleted.`,
          }),
        days: (count: number, shown: string) => plural.en(count, { one: '1 day', other: `${shown} days` }),
        atLeast: (shown: string) => `At least ${shown}`,
        with: 'Their files, reactions and polls go too. Tasks and forwarded copies stay.',
        begins: 'It begins within a minute. From then on each message goes when its time is over.',
        way: 'There is no way back.',
        action: 'Delete and save',
      },
    },
    topic: {
      action: 'Keep messages…',
      title: (name: string) => `Keep messages of ${name}`,
      button: 'Save',
    },
  },
  de: {
    title: 'Aufbewahrung',
    about: 'Wie lange Nachrichten bleiben. Jede Änderung hier steht im Änderungsprotokoll.',
    keep: {
      title: 'Nachrichten aufbewahren',
      about:
        'Gilt für alle Themen und Direktnachrichten, außer für Themen, die es anders regeln. Was älter ist, wird samt Dateien endgültig gelöscht.',
      legend: 'Wie lange Nachrichten bleiben',
      forEver: 'Für immer',
      organization: 'Wie in der Organisation',
      days: 'Eine Zahl von Tagen',
      label: 'Tage',
      invalid: (most) => `Geben Sie eine ganze Zahl von 1 bis ${most} ein.`,
      save: 'Speichern, wie lange Nachrichten bleiben',
      saved: 'Gespeichert, wie lange Nachrichten bleiben.',
      forEverNow: 'Nachrichten bleiben für immer.',
      daysNow: (count, shown) =>
        plural.de(count, { one: 'Nachrichten bleiben 1 Tag.', other: `Nachrichten bleiben ${shown} Tage.` }),
      costs: {
        title: (count, shown) =>
          plural.de(count, { one: '1 Nachricht löschen?', other: `${shown} Nachrichten löschen?` }),
        text: (count, shown, days) =>
          plural.de(count, {
            one: `1 Nachricht, die älter ist als ${days}, wird gelöscht.`,
            other: `${shown} Nachrichten, die älter sind als ${days}, werden gelöscht.`,
          }),
        days: (count, shown) => plural.de(count, { one: '1 Tag', other: `${shown} Tage` }),
        atLeast: (shown) => `Mindestens ${shown}`,
        with: 'Auch ihre Dateien, Reaktionen und Umfragen. Aufgaben und weitergeleitete Kopien bleiben.',
        begins: 'Es beginnt binnen einer Minute. Danach geht jede Nachricht, wenn ihre Zeit um ist.',
        way: 'Das lässt sich nicht rückgängig machen.',
        action: 'Löschen und speichern',
      },
    },
    topic: {
      action: 'Nachrichten aufbewahren…',
      title: (name) => `Nachrichten von ${name} aufbewahren`,
      button: 'Speichern',
    },
  },
})
