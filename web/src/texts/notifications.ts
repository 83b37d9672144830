import { texts } from './texts.ts'

/** Texts of the notification settings. Loaded with their view. */
export const notifications = texts({
  en: {
    title: 'Notifications',
    about: 'Your settings for this organization. Only you can see them.',
    offer: {
      text: 'Get a notification when someone mentions you or writes to you?',
      accept: 'Turn on',
      decline: 'No thanks',
    },
    browser: {
      legend: 'This browser',
      label: 'Show notifications in this browser',
      states: {
        unsupported: 'This browser does not support notifications here.',
        denied: 'Notifications are blocked for this site. Allow them in your browser’s settings.',
        off: 'Your browser will ask for permission.',
        page: 'Shown while Parley is open in a tab.',
        always: 'Shown even when Parley is closed.',
      },
    },
    what: {
      legend: 'Notify me about',
      hint: 'Mentions in topics and every direct message. Choose more or less for a topic in its settings.',
      keywords: 'Keywords',
      keywordsHint: 'Separate them with commas. Messages with one of these words notify you.',
      keywordsPlaceholder: 'release, on call',
      save: 'Save keywords',
      saved: 'Keywords saved.',
    },
    when: {
      legend: 'When not to notify me',
      notWhileActive: {
        label: 'While I am active on another device',
        about: 'Your other devices stay silent while you use Parley on one.',
      },
      quiet: { label: 'Quiet hours', about: 'No notifications and no mail between these times.' },
      from: 'From',
      to: 'To',
      timeZone: 'Time zone',
    },
    mail: {
      legend: 'E-mail',
      label: 'Send me a summary of unread messages',
      after: {
        0: 'Never',
        15: 'After 15 minutes',
        60: 'After an hour',
        240: 'After 4 hours',
        1440: 'After a day',
      },
    },
  },
  de: {
    title: 'Benachrichtigungen',
    about: 'Ihre Einstellungen für diese Organisation. Nur Sie sehen sie.',
    offer: {
      text: 'Möchten Sie benachrichtigt werden, wenn Sie erwähnt werden oder eine Direktnachricht bekommen?',
      accept: 'Einschalten',
      decline: 'Nein danke',
    },
    browser: {
      legend: 'Dieser Browser',
      label: 'Benachrichtigungen in diesem Browser anzeigen',
      states: {
        unsupported: 'Dieser Browser unterstützt hier keine Benachrichtigungen.',
        denied:
          'Benachrichtigungen sind für diese Seite gesperrt. Erlauben Sie sie in den Einstellungen Ihres Browsers.',
        off: 'Ihr Browser wird um Erlaubnis fragen.',
        page: 'Sie erscheinen, solange Parley in einem Tab offen ist.',
        always: 'Sie erscheinen auch, wenn Parley geschlossen ist.',
      },
    },
    what: {
      legend: 'Benachrichtigen bei',
      hint: 'Erwähnungen in Themen und jede Direktnachricht. Mehr oder weniger wählen Sie in den Einstellungen eines Themas.',
      keywords: 'Stichwörter',
      keywordsHint: 'Mit Kommas getrennt. Bei Nachrichten mit einem dieser Wörter werden Sie benachrichtigt.',
      keywordsPlaceholder: 'Katalog, Bereitschaft',
      save: 'Stichwörter speichern',
      saved: 'Stichwörter gespeichert.',
    },
    when: {
      legend: 'Nicht benachrichtigen',
      notWhileActive: {
        label: 'Während ich auf einem anderen Gerät aktiv bin',
        about: 'Ihre anderen Geräte bleiben still, während Sie Parley auf einem verwenden.',
      },
      quiet: {
        label: 'Ruhezeiten',
        about: 'Zwischen diesen Zeiten keine Benachrichtigungen und keine E-Mails.',
      },
      from: 'Von',
      to: 'Bis',
      timeZone: 'Zeitzone',
    },
    mail: {
      legend: 'E-Mail',
      label: 'Zusammenfassung ungelesener Nachrichten schicken',
      after: {
        0: 'Nie',
        15: 'Nach 15 Minuten',
        60: 'Nach einer Stunde',
        240: 'Nach 4 Stunden',
        1440: 'Nach einem Tag',
      },
    },
  },
})
