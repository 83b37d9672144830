import { plural, texts } from './texts.ts'

/** Deletions of people's data, and how far they have come. For admins. */
export const erasuresTexts = texts({
  en: {
    title: 'Deleted data',
    list: 'Deletions',
    about:
      'People whose data was deleted under Members. Their names are gone; the ID matches the one in the audit log.',
    columns: { who: 'Member', asked: 'Requested by', messages: 'Their messages', state: 'State' },
    operator: 'Server command',
    messages: { kept: 'Kept without name', deleted: 'Deleted' },
    states: {
      running: 'Deleting…',
      held: 'Waiting for the end of a legal hold',
      failing: 'Could not be finished',
      done: 'Deleted',
    },
    again: 'Next attempt:',
    count: (count: number) => plural.en(count, { one: '1 deletion', other: `${count} deletions` }),
    none: { title: 'Nothing deleted', text: 'To delete the data of a person, use their menu under Members.' },
  },
  de: {
    title: 'Gelöschte Daten',
    list: 'Löschungen',
    about:
      'Personen, deren Daten unter Mitglieder gelöscht wurden. Ihre Namen sind weg; die ID steht auch im Audit-Protokoll.',
    columns: { who: 'Mitglied', asked: 'Veranlasst von', messages: 'Nachrichten', state: 'Status' },
    operator: 'Befehl auf dem Server',
    messages: { kept: 'Bleiben ohne Namen', deleted: 'Gelöscht' },
    states: {
      running: 'Wird gelöscht…',
      held: 'Wartet auf das Ende einer Sicherung',
      failing: 'Konnte nicht abgeschlossen werden',
      done: 'Gelöscht',
    },
    again: 'Nächster Versuch:',
    count: (count) => plural.de(count, { one: '1 Löschung', other: `${count} Löschungen` }),
    none: {
      title: 'Nichts gelöscht',
      text: 'Daten einer Person löschen Sie in ihrem Menü unter Mitglieder.',
    },
  },
})
