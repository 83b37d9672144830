import { addSentences, type Sentences } from './errors.ts'
import { byLanguage, plural, texts } from './texts.ts'

addSentences(
  byLanguage<Sentences>({
    en: {
      retention_for_owners: 'Only owners decide how long messages are kept.',
      shorter_retention_for_owners:
        'Only owners can shorten the time that messages of a topic are kept. You can set a longer time.',
    },
    de: {
      retention_for_owners: 'Wie lange Nachrichten bleiben, entscheiden nur Eigentümer.',
      shorter_retention_for_owners:
        'Nur Eigentümer können die Aufbewahrung eines Themas verkürzen. Verlängern können Sie sie.',
      hold_not_found: 'Diese Sicherung gibt es nicht.',
      hold_ended: 'Diese Sicherung ist schon beendet.',
      hold_subject_ambiguous: 'Eine Sicherung gilt einem Thema oder einem Mitglied, nicht beiden.',
    },
  }),
)

/** How long messages are kept, and what is kept against being deleted: for admins. */
export const recordsTexts = texts({
  en: {
    title: 'Records',
    about:
      'How long messages are kept, and which must not be deleted. Every change is recorded in the audit log.',
    keep: {
      title: 'Message retention',
      about:
        'Applies to all direct messages and to topics without their own setting. Older messages are permanently deleted, with their files.',
      legend: 'Keep messages',
      forEver: 'Forever',
      organization: 'Use the organization’s setting',
      days: 'For a number of days',
      label: 'Days',
      invalid: (most: string) => `Enter a whole number from 1 to ${most}.`,
      save: 'Save message retention',
      saved: 'Message retention saved.',
      forOwners: 'Only owners decide how long messages are kept.',
      planned: 'Saved. It takes effect in a day, and all owners get a mail.',
      plannedNow: (count: number, shown: string, by: string) =>
        plural.en(count, {
          one: `${by} chose 1 day. It takes effect on:`,
          other: `${by} chose ${shown} days. It takes effect on:`,
        }),
      takeBack: 'Cancel change',
      takenBack: 'Change cancelled.',
      forEverNow: 'Messages are kept forever.',
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
        with: 'Their files, reactions and polls are deleted, too. Tasks and forwarded copies stay.',
        begins: 'Deletion starts within a minute. After that, each message is deleted when its time is up.',
        inADay: 'Deletion starts in a day. Until then, any owner can cancel it; all of them get a mail.',
        way: 'This cannot be undone.',
        action: 'Delete and save',
      },
    },
    holds: {
      title: 'Legal holds',
      about:
        'While a hold is active, messages are kept past their time, and edited or deleted messages are kept in their original form. Members do not notice: in the chat, deleted messages are gone.',
      set: 'Create hold',
      state: 'Show',
      standing: 'Active holds',
      ended: 'Ended holds',
      columns: { what: 'On', reason: 'Reason', by: 'Set by', at: 'Since', ended: 'Ended' },
      kinds: { organization: 'The whole organization', topic: 'A topic', member: 'A person or bot' },
      kindOf: { topic: 'Topic', member: 'All their messages' },
      legend: 'Applies to',
      topicLabel: 'Topic',
      topicHint: 'Enter a name',
      memberLabel: 'Person or bot',
      memberHint: 'Enter a name or address',
      missing: 'Choose a topic, person or bot.',
      reason: 'Reason',
      noReason: 'Enter a reason.',
      done: 'Hold created.',
      count: (count: number) => plural.en(count, { one: '1 hold', other: `${count} holds` }),
      none: { title: 'No holds', text: 'Create one to keep messages that you may have to produce later.' },
      export: 'Export as JSON Lines',
      exported: (count: number) =>
        plural.en(count, { one: '1 record was exported.', other: `${count} records were exported.` }),
      end: {
        action: 'End hold',
        title: (name: string) => `End the hold on ${name}?`,
        text: 'Its copies of edited and deleted messages are deleted, unless another hold keeps them.',
        time: 'Messages past their time are deleted as well.',
        way: 'This cannot be undone. Export the content first if you may need it.',
        done: 'Hold ended.',
      },
    },
    topic: {
      action: 'Message retention…',
      title: (name: string) => `Message retention in ${name}`,
      button: 'Save',
      forOwners: 'Only owners can choose a shorter time.',
    },
  },
  de: {
    title: 'Aufbewahrung',
    about:
      'Wie lange Nachrichten aufbewahrt werden und welche nicht gelöscht werden dürfen. Jede Änderung steht im Audit-Protokoll.',
    keep: {
      title: 'Aufbewahrung von Nachrichten',
      about:
        'Gilt für alle Direktnachrichten und für Themen ohne eigene Einstellung. Ältere Nachrichten werden samt Dateien endgültig gelöscht.',
      legend: 'Nachrichten aufbewahren',
      forEver: 'Für immer',
      organization: 'Einstellung der Organisation verwenden',
      days: 'Für eine Anzahl von Tagen',
      label: 'Tage',
      invalid: (most) => `Geben Sie eine ganze Zahl von 1 bis ${most} ein.`,
      save: 'Aufbewahrung speichern',
      saved: 'Aufbewahrung gespeichert.',
      forOwners: 'Nur Eigentümer können das ändern.',
      planned: 'Gespeichert. Die Änderung gilt in einem Tag, und alle Eigentümer bekommen eine E-Mail.',
      plannedNow: (count, shown, by) =>
        plural.de(count, {
          one: `${by} hat 1 Tag gewählt. Das gilt ab:`,
          other: `${by} hat ${shown} Tage gewählt. Das gilt ab:`,
        }),
      takeBack: 'Änderung abbrechen',
      takenBack: 'Änderung abgebrochen.',
      forEverNow: 'Nachrichten werden für immer aufbewahrt.',
      daysNow: (count, shown) =>
        plural.de(count, {
          one: 'Nachrichten werden 1 Tag aufbewahrt.',
          other: `Nachrichten werden ${shown} Tage aufbewahrt.`,
        }),
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
        with: 'Auch ihre Dateien, Reaktionen und Umfragen werden gelöscht. Aufgaben und weitergeleitete Kopien bleiben.',
        begins:
          'Das Löschen beginnt binnen einer Minute. Danach wird jede Nachricht gelöscht, wenn ihre Zeit um ist.',
        inADay:
          'Das Löschen beginnt in einem Tag. Bis dahin kann jeder Eigentümer es abbrechen; alle bekommen eine E-Mail.',
        way: 'Das lässt sich nicht rückgängig machen.',
        action: 'Löschen und speichern',
      },
    },
    holds: {
      title: 'Sicherungen',
      about:
        'Solange eine Sicherung gilt, werden Nachrichten über ihre Zeit hinaus aufbewahrt, bearbeitete und gelöschte in ihrer ursprünglichen Form. Mitglieder bemerken das nicht: Im Chat sind gelöschte Nachrichten weg.',
      set: 'Sicherung anlegen',
      state: 'Anzeigen',
      standing: 'Aktive Sicherungen',
      ended: 'Beendete Sicherungen',
      columns: { what: 'Von', reason: 'Grund', by: 'Angelegt von', at: 'Seit', ended: 'Beendet' },
      kinds: {
        organization: 'Die ganze Organisation',
        topic: 'Ein Thema',
        member: 'Eine Person oder ein Bot',
      },
      kindOf: { topic: 'Thema', member: 'Alle Nachrichten' },
      legend: 'Gilt für',
      topicLabel: 'Thema',
      topicHint: 'Name eingeben',
      memberLabel: 'Person oder Bot',
      memberHint: 'Name oder Adresse eingeben',
      missing: 'Wählen Sie ein Thema, eine Person oder einen Bot.',
      reason: 'Grund',
      noReason: 'Geben Sie einen Grund ein.',
      done: 'Sicherung angelegt.',
      count: (count) => plural.de(count, { one: '1 Sicherung', other: `${count} Sicherungen` }),
      none: {
        title: 'Keine Sicherungen',
        text: 'Legen Sie eine an, um Nachrichten aufzubewahren, die Sie später vorlegen müssen.',
      },
      export: 'Als JSON Lines exportieren',
      exported: (count) =>
        plural.de(count, {
          one: '1 Eintrag wurde exportiert.',
          other: `${count} Einträge wurden exportiert.`,
        }),
      end: {
        action: 'Sicherung beenden',
        title: (name) => `Sicherung von ${name} beenden?`,
        text: 'Ihre Kopien bearbeiteter und gelöschter Nachrichten werden gelöscht, außer eine andere Sicherung bewahrt sie auf.',
        time: 'Auch Nachrichten, deren Zeit um ist, werden gelöscht.',
        way: 'Das lässt sich nicht rückgängig machen. Exportieren Sie den Inhalt vorher, falls Sie ihn noch brauchen.',
        done: 'Sicherung beendet.',
      },
    },
    topic: {
      action: 'Aufbewahrung…',
      title: (name) => `Aufbewahrung in ${name}`,
      button: 'Speichern',
      forOwners: 'Nur Eigentümer können eine kürzere Zeit wählen.',
    },
  },
})
