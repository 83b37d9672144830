import { addSentences, type Sentences } from './errors.ts'
import { byLanguage, plural, texts } from './texts.ts'

addSentences(
  byLanguage<Sentences>({
    en: {
      member_held: 'A legal hold keeps what belongs to this member. End it first, under Records.',
    },
    de: {
      member_held:
        'Eine Sicherung bewahrt auf, was zu diesem Mitglied gehört. Beenden Sie sie zuerst, unter Aufbewahrung.',
      member_erased: 'Die Daten dieses Mitglieds sind schon gelöscht.',
      member_erasure_running: 'Die Daten dieses Mitglieds werden schon gelöscht.',
      member_erasure_of_self: 'Ihre eigenen Daten können Sie nicht löschen.',
    },
  }),
)

/** Data that an organization has of one person, handed over and deleted. For admins. */
export const erasureTexts = texts({
  en: {
    nameless: 'Deleted member',
    export: {
      action: 'Export data',
      done: (count: number) =>
        plural.en(count, { one: '1 record was exported.', other: `${count} records were exported.` }),
    },
    erase: {
      action: 'Delete data',
      title: (name: string) => `Delete the data of ${name}?`,
      text: 'They lose access, and nothing here will identify them.',
      costs: {
        profile:
          'Name, address, photo and sessions are deleted right away; drafts, saved messages and settings within a minute.',
        log: 'Their name is removed from the event log and the audit log within minutes.',
        messages:
          'Their messages stay, under the name “Deleted member”. Messages by others that mention their name stay too.',
        account: 'Their account is deleted too, unless they belong to another organization.',
        way: 'This cannot be undone. If they asked for a copy of their data, export it first.',
      },
      withMessages: 'Also delete their messages',
      about: 'All their messages, files and polls, including direct messages.',
      done: 'Their data is being deleted.',
    },
  },
  de: {
    nameless: 'Gelöschtes Mitglied',
    export: {
      action: 'Daten exportieren',
      done: (count) =>
        plural.de(count, {
          one: '1 Eintrag wurde exportiert.',
          other: `${count} Einträge wurden exportiert.`,
        }),
    },
    erase: {
      action: 'Daten löschen',
      title: (name) => `Die Daten von ${name} löschen?`,
      text: 'Die Person verliert den Zugang, und nichts weist mehr auf sie hin.',
      costs: {
        profile:
          'Name, Adresse, Foto und Sitzungen werden sofort gelöscht, Entwürfe, Gemerktes und Einstellungen binnen einer Minute.',
        log: 'Der Name wird binnen Minuten aus Ereignissen und Audit-Protokoll entfernt.',
        messages:
          'Die Nachrichten bleiben unter dem Namen „Gelöschtes Mitglied“. Auch Nachrichten anderer, die den Namen nennen, bleiben.',
        account: 'Auch das Konto wird gelöscht, wenn es zu keiner anderen Organisation gehört.',
        way: 'Das lässt sich nicht rückgängig machen. Wenn die Person eine Kopie verlangt hat, exportieren Sie die Daten zuerst.',
      },
      withMessages: 'Auch die Nachrichten löschen',
      about: 'Alle Nachrichten, Dateien und Umfragen, auch in Direktnachrichten.',
      done: 'Die Daten werden gelöscht.',
    },
  },
})
