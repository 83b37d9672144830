import { addSentences, type Sentences } from './errors.ts'
import { byLanguage, plural, texts } from './texts.ts'

addSentences(
  byLanguage<Sentences>({
    en: {},
    de: {
      report_not_found: 'Diese Meldung gibt es nicht.',
      report_decided: 'Über diese Meldung ist schon entschieden.',
    },
  }),
)

/** Messages that people have reported, for admins. */
export const reportsTexts = texts({
  en: {
    title: 'Reports',
    about:
      'Messages that people have reported. Content is hidden until you open a report, and each opening is recorded in the audit log.',
    state: 'Show',
    open: 'Open reports',
    decided: 'Decided reports',
    columns: {
      message: 'Message from',
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
    read: 'Open report',
    count: (count: number) => plural.en(count, { one: '1 report', other: `${count} reports` }),
    none: { title: 'No reports', text: 'Messages that people report appear here.' },
    report: {
      title: (name: string) => `Message from ${name}`,
      said: 'Reported message',
      reported: 'Text when it was reported:',
      gone: 'The message has been deleted since.',
      delete: 'Delete message',
      dismiss: 'Dismiss report',
      deleted: 'Message deleted.',
      dismissed: 'Report dismissed.',
      confirm: {
        title: 'Delete this message?',
        text: 'It will be deleted for everyone, with its files and reactions. Replies to it stay.',
        way: 'This cannot be undone.',
        action: 'Delete',
      },
    },
  },
  de: {
    title: 'Meldungen',
    about:
      'Gemeldete Nachrichten. Den Inhalt sehen Sie erst, wenn Sie eine Meldung öffnen; jedes Öffnen steht im Audit-Protokoll.',
    state: 'Anzeigen',
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
    none: { title: 'Keine Meldungen', text: 'Gemeldete Nachrichten erscheinen hier.' },
    report: {
      title: (name: string) => `Nachricht von ${name}`,
      said: 'Gemeldete Nachricht',
      reported: 'Wortlaut, als sie gemeldet wurde:',
      gone: 'Die Nachricht wurde inzwischen gelöscht.',
      delete: 'Nachricht löschen',
      dismiss: 'Meldung ablehnen',
      deleted: 'Nachricht gelöscht.',
      dismissed: 'Meldung abgelehnt.',
      confirm: {
        title: 'Diese Nachricht löschen?',
        text: 'Sie wird für alle gelöscht, samt Dateien und Reaktionen. Antworten darauf bleiben.',
        way: 'Das lässt sich nicht rückgängig machen.',
        action: 'Löschen',
      },
    },
  },
})
