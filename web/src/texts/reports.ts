import { addSentences } from './errors.ts'
import { byLanguage, plural, texts } from './texts.ts'

addSentences(
  byLanguage<Record<string, string>>({
    en: {},
    de: {
      'Report not found': 'Diese Meldung gibt es nicht.',
      'the report is decided already': 'Über diese Meldung ist schon entschieden.',
    },
  }),
)

/** Messages that people have reported, for admins. */
export const reportsTexts = texts({
  en: {
    title: 'Reports',
    about:
      'Messages that people have reported to you. Nothing of what was said is shown until you open a report, and each time is in the audit log.',
    state: 'Show',
    open: 'Open reports',
    decided: 'Decided reports',
    columns: {
      message: 'Message of',
      reason: 'Reason',
      reporter: 'Reported by',
      at: 'When',
      outcome: 'Outcome',
    },
    inTopic: (topic: string) => `in ${topic}`,
    direct: 'in a direct message',
    outcomes: { deleted: 'Message deleted', dismissed: 'Dismissed' },
    waiting: 'Open',
    by: (name: string) => `by ${name}`,
    read: 'Open the report',
    count: (count: number) => plural.en(count, { one: '1 report', other: `${count} reports` }),
    none: { title: 'No reports', text: 'What people report from the menu of a message is listed here.' },
    report: {
      title: (name: string) => `A message of ${name}`,
      said: 'The reported message',
      reported: 'When it was reported, it said:',
      gone: 'The message has been deleted since.',
      delete: 'Delete the message',
      dismiss: 'Dismiss the report',
      deleted: 'The message is deleted.',
      dismissed: 'The report is dismissed.',
      confirm: {
        title: 'Delete this message?',
        text: 'It disappears for everybody in the topic, with its files and reactions. Replies to it stay.',
        way: 'This cannot be undone.',
        action: 'Delete',
      },
    },
  },
  de: {
    title: 'Meldungen',
    about:
      'Nachrichten, die Ihnen gemeldet wurden. Was gesagt wurde, sehen Sie erst, wenn Sie eine Meldung öffnen, und jedes Mal steht im Änderungsprotokoll.',
    state: 'Zeigen',
    open: 'Offene Meldungen',
    decided: 'Entschiedene Meldungen',
    columns: {
      message: 'Nachricht von',
      reason: 'Grund',
      reporter: 'Gemeldet von',
      at: 'Wann',
      outcome: 'Ergebnis',
    },
    inTopic: (topic: string) => `in ${topic}`,
    direct: 'in einer Direktnachricht',
    outcomes: { deleted: 'Nachricht gelöscht', dismissed: 'Abgelehnt' },
    waiting: 'Offen',
    by: (name: string) => `von ${name}`,
    read: 'Meldung öffnen',
    count: (count: number) => plural.de(count, { one: '1 Meldung', other: `${count} Meldungen` }),
    none: { title: 'Keine Meldungen', text: 'Hier steht, was Leute über das Menü einer Nachricht melden.' },
    report: {
      title: (name: string) => `Eine Nachricht von ${name}`,
      said: 'Die gemeldete Nachricht',
      reported: 'Als sie gemeldet wurde, lautete sie:',
      gone: 'Die Nachricht wurde inzwischen gelöscht.',
      delete: 'Nachricht löschen',
      dismiss: 'Meldung ablehnen',
      deleted: 'Die Nachricht ist gelöscht.',
      dismissed: 'Die Meldung ist abgelehnt.',
      confirm: {
        title: 'Diese Nachricht löschen?',
        text: 'Sie verschwindet für alle im Thema, samt Dateien und Reaktionen. Antworten darauf bleiben.',
        way: 'Das lässt sich nicht rückgängig machen.',
        action: 'Löschen',
      },
    },
  },
})
