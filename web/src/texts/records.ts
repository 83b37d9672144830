import { addSentences } from './errors.ts'
import { byLanguage, plural, texts } from './texts.ts'

addSentences(
  byLanguage<Record<string, string>>({
    en: {
      'only owners decide how long messages are kept': 'Only owners decide how long messages are kept.',
      'only owners shorten the time that messages of a topic are kept':
        'Only owners can shorten the time that messages of a topic are kept. A longer time is yours to set.',
    },
    de: {
      'only owners decide how long messages are kept':
        'Wie lange Nachrichten bleiben, entscheiden nur Eigentümer.',
      'only owners shorten the time that messages of a topic are kept':
        'Die Zeit, die Nachrichten eines Themas bleiben, verkürzen nur Eigentümer. Verlängern können Sie sie.',
      'Hold not found': 'Diese Sicherung gibt es nicht.',
      'the hold has ended already': 'Diese Sicherung ist schon beendet.',
      'a hold is of a topic or of a member, not of both':
        'Eine Sicherung gilt einem Thema oder einem Mitglied, nicht beiden.',
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
      title: 'Keep messages',
      about:
        'Applies to all direct messages, and to all topics without a setting of their own. Older messages are deleted for good, with their files.',
      legend: 'How long messages are kept',
      forEver: 'For ever',
      organization: 'As the organization says',
      days: 'For a number of days',
      label: 'Days',
      invalid: (most: string) => `Enter a whole number from 1 to ${most}.`,
      save: 'Save how long messages are kept',
      saved: 'How long messages are kept was saved.',
      forOwners: 'Only owners decide how long messages are kept.',
      planned: 'Saved. It counts in a day, and all owners get a mail.',
      plannedNow: (count: number, shown: string, by: string) =>
        plural.en(count, {
          one: `${by} has chosen 1 day. It counts from this time on:`,
          other: `${by} has chosen ${shown} days. It counts from this time on:`,
        }),
      takeBack: 'Take it back',
      takenBack: 'It was taken back. Nothing changes.',
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
        inADay: 'It begins in a day. Until then every owner can take it back; all of them get a mail.',
        way: 'This cannot be undone.',
        action: 'Delete and save',
      },
    },
    holds: {
      title: 'Legal holds',
      about:
        'While a hold is active, messages are kept past their time, and edited or deleted messages are kept as they were. Members do not notice: in the chat, deleted messages are gone.',
      set: 'Set a hold',
      state: 'Show',
      standing: 'Active holds',
      ended: 'Ended holds',
      columns: { what: 'On', reason: 'Reason', by: 'Set by', at: 'Since', ended: 'Ended' },
      kinds: { organization: 'The whole organization', topic: 'A topic', member: 'A person or bot' },
      kindOf: { topic: 'Topic', member: 'Everything they write' },
      legend: 'What is held',
      topicLabel: 'Topic',
      topicHint: 'Type its name',
      memberLabel: 'Person or bot',
      memberHint: 'Type a name or an address',
      missing: 'Choose one first.',
      reason: 'Reason',
      noReason: 'Enter a reason.',
      done: 'The hold is active.',
      count: (count: number) => plural.en(count, { one: '1 hold', other: `${count} holds` }),
      none: { title: 'No holds', text: 'Set one before something you may be asked for is deleted.' },
      export: 'Export as JSON Lines',
      exported: (count: number) =>
        plural.en(count, { one: '1 record was exported.', other: `${count} records were exported.` }),
      end: {
        action: 'End the hold',
        title: (name: string) => `End the hold on ${name}?`,
        text: 'Its copies of edited and deleted messages are deleted, unless another hold keeps them.',
        time: 'Messages past their time are deleted as well.',
        way: 'This cannot be undone. Export it first if you may be asked for it.',
        done: 'The hold has ended.',
      },
    },
    topic: {
      action: 'Keep messages…',
      title: (name: string) => `Keep messages of ${name}`,
      button: 'Save',
      forOwners: 'Only owners can choose a shorter time.',
    },
  },
  de: {
    title: 'Aufbewahrung',
    about:
      'Wie lange Nachrichten bleiben, und was solange nicht verloren gehen darf. Jede Änderung hier steht im Änderungsprotokoll.',
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
      forOwners: 'Wie lange Nachrichten bleiben, entscheiden nur Eigentümer.',
      planned: 'Gespeichert. Es gilt in einem Tag, und alle Eigentümer bekommen eine E-Mail.',
      plannedNow: (count, shown, by) =>
        plural.de(count, {
          one: `${by} hat 1 Tag gewählt. Das gilt ab:`,
          other: `${by} hat ${shown} Tage gewählt. Das gilt ab:`,
        }),
      takeBack: 'Zurücknehmen',
      takenBack: 'Es wurde zurückgenommen. Nichts ändert sich.',
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
        inADay:
          'Es beginnt in einem Tag. Bis dahin kann es jeder Eigentümer zurücknehmen; alle bekommen eine E-Mail.',
        way: 'Das lässt sich nicht rückgängig machen.',
        action: 'Löschen und speichern',
      },
    },
    holds: {
      title: 'Sicherungen',
      about:
        'Solange eine Sicherung gilt, bleiben Nachrichten über ihre Zeit hinaus, und was bearbeitet oder gelöscht wird, bleibt erhalten, wie es war. Niemand sieht das; im Chat wirkt es gelöscht.',
      set: 'Sicherung setzen',
      state: 'Zeigen',
      standing: 'Geltende Sicherungen',
      ended: 'Beendete Sicherungen',
      columns: { what: 'Von', reason: 'Grund', by: 'Gesetzt von', at: 'Seit', ended: 'Beendet' },
      kinds: {
        organization: 'Die ganze Organisation',
        topic: 'Ein Thema',
        member: 'Eine Person oder ein Bot',
      },
      kindOf: { topic: 'Thema', member: 'Alles, was sie schreiben' },
      legend: 'Was gesichert wird',
      topicLabel: 'Thema',
      topicHint: 'Name eingeben',
      memberLabel: 'Person oder Bot',
      memberHint: 'Name oder Adresse eingeben',
      missing: 'Wählen Sie zuerst aus.',
      reason: 'Grund',
      noReason: 'Geben Sie einen Grund ein.',
      done: 'Die Sicherung gilt.',
      count: (count) => plural.de(count, { one: '1 Sicherung', other: `${count} Sicherungen` }),
      none: {
        title: 'Keine Sicherungen',
        text: 'Setzen Sie eine, bevor etwas verloren geht, wonach gefragt werden wird.',
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
        text: 'Was sie von bearbeiteten und gelöschten Nachrichten aufbewahrt hat, wird gelöscht, außer eine andere Sicherung bewahrt es auf.',
        time: 'Auch Nachrichten, deren Zeit um ist, werden gelöscht.',
        way: 'Das lässt sich nicht rückgängig machen. Exportieren Sie sie vorher, falls danach gefragt werden kann.',
        done: 'Die Sicherung ist beendet.',
      },
    },
    topic: {
      action: 'Nachrichten aufbewahren…',
      title: (name) => `Nachrichten von ${name} aufbewahren`,
      button: 'Speichern',
      forOwners: 'Eine kürzere Zeit wählen nur Eigentümer.',
    },
  },
})
