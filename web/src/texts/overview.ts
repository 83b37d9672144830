import { plural, texts } from './texts.ts'

export const overview = texts({
  en: {
    title: 'Overview',
    about: (organization: string) => `How ${organization} is doing. This page updates by itself.`,
    next: {
      title: 'What to do next',
      failing: 'the webhook is failing',
      paused: 'the webhook is paused',
      since: 'Since',
      lookAtIt: 'Look at its deliveries',
      botsStopped: 'bots only answered each other, and were stopped',
      toTopic: 'To the topic',
      openSignup: {
        title: 'Anybody can create organizations on this server',
        text: (count: number) =>
          plural.en(count, {
            one: 'One was created in the last 24 hours.',
            other: `${count} were created in the last 24 hours.`,
          }),
        action: 'To the settings',
      },
      noBackup: {
        title: 'There is no backup yet',
        text: 'Whoever runs this server makes one with “npx parley backup”, or sets BACKUP_FOLDER to have one made each day.',
      },
      oldBackup: {
        title: 'The last backup is more than a week old',
        text: 'Whoever runs this server makes one with “npx parley backup”, or sets BACKUP_FOLDER to have one made each day.',
      },
      steps: {
        moreUnwell: {
          title: 'More webhooks need a look',
          text: 'The list of bots shows all that fail or are paused.',
          action: 'To the bots',
        },
        storage: {
          title: 'The storage is nearly full',
          text: 'New files will be refused soon. Ask whoever runs this server for more room.',
          action: 'To the settings',
        },
        mail: {
          title: 'This server sends no mail',
          text: 'Invitations and links for new passwords reach nobody by themselves. Whoever runs this server sets SMTP_URL; until then, copy invitation links by hand.',
          action: 'To the members',
        },
        invite: {
          title: 'Nobody is invited yet',
          text: 'You are alone here so far.',
          action: 'Invite people',
        },
        bot: {
          title: 'There is no bot yet',
          text: 'A bot does some of the work in your topics: it reads, answers and reminds.',
          action: 'Create a bot',
        },
        quiet: {
          title: 'It is quiet here',
          text: 'Nobody has written in the last 14 days. Your bots are ready: let one of them send a message.',
          action: 'To the bots',
        },
      },
    },
    figures: 'Figures',
    counts: {
      members: (count: number, shown: string) =>
        plural.en(count, { one: '1 member', other: `${shown} members` }),
      invited: (count: string) => `${count} invited`,
      bots: (count: number, shown: string) => plural.en(count, { one: '1 bot', other: `${shown} bots` }),
      off: (count: string) => `${count} switched off`,
      topics: (count: number, shown: string) =>
        plural.en(count, { one: '1 topic', other: `${shown} topics` }),
      files: (used: string) => `${used} of files`,
      filesOf: (used: string, quota: string) => `${used} of ${quota} used by files`,
    },
    messages: {
      title: 'Messages of the last 14 days',
      part: 'messages',
      utc: 'Days begin at midnight UTC.',
      none: 'No message in the last 14 days.',
    },
    deliveries: {
      title: 'Webhook deliveries of the last 24 hours',
      label: 'Attempts by hour',
      delivered: 'delivered',
      failed: 'failed',
      pending: 'waiting now',
      capped: (count: string) => `${count} or more`,
      none: 'No webhook was called in the last 24 hours.',
    },
  },
  de: {
    title: 'Übersicht',
    about: (organization: string) => `So geht es ${organization}. Diese Seite aktualisiert sich von selbst.`,
    next: {
      title: 'Was als Nächstes zu tun ist',
      failing: 'Der Webhook schlägt fehl',
      paused: 'Der Webhook ist angehalten',
      since: 'Seit',
      lookAtIt: 'Zustellungen ansehen',
      botsStopped: 'Bots haben nur noch einander geantwortet und wurden gestoppt',
      toTopic: 'Zum Thema',
      openSignup: {
        title: 'Jeder kann auf diesem Server Organisationen anlegen',
        text: (count) =>
          plural.de(count, {
            one: 'Eine entstand in den letzten 24 Stunden.',
            other: `${count} entstanden in den letzten 24 Stunden.`,
          }),
        action: 'Zu den Einstellungen',
      },
      noBackup: {
        title: 'Es gibt noch keine Datensicherung',
        text: 'Wer diesen Server betreibt, legt mit „npx parley backup“ eine an oder setzt BACKUP_FOLDER, damit jeden Tag eine entsteht.',
      },
      oldBackup: {
        title: 'Die letzte Datensicherung ist über eine Woche alt',
        text: 'Wer diesen Server betreibt, legt mit „npx parley backup“ eine an oder setzt BACKUP_FOLDER, damit jeden Tag eine entsteht.',
      },
      steps: {
        moreUnwell: {
          title: 'Weitere Webhooks brauchen einen Blick',
          text: 'Die Liste der Bots zeigt alle, die fehlschlagen oder angehalten sind.',
          action: 'Zu den Bots',
        },
        storage: {
          title: 'Der Speicher ist fast voll',
          text: 'Neue Dateien werden bald abgelehnt. Bitten Sie die Menschen, die diesen Server betreiben, um mehr Platz.',
          action: 'Zu den Einstellungen',
        },
        mail: {
          title: 'Dieser Server verschickt keine Mails',
          text: 'Einladungen und Links für neue Passwörter erreichen von selbst niemanden. Wer diesen Server betreibt, setzt SMTP_URL; bis dahin kopieren Sie Einladungslinks von Hand.',
          action: 'Zu den Mitgliedern',
        },
        invite: {
          title: 'Noch ist niemand eingeladen',
          text: 'Bisher sind Sie hier allein.',
          action: 'Menschen einladen',
        },
        bot: {
          title: 'Es gibt noch keinen Bot',
          text: 'Ein Bot übernimmt einen Teil der Arbeit in Ihren Themen: Er liest, antwortet und erinnert.',
          action: 'Bot anlegen',
        },
        quiet: {
          title: 'Hier ist es still',
          text: 'In den letzten 14 Tagen hat niemand geschrieben. Ihre Bots sind bereit: Lassen Sie einen davon eine Nachricht senden.',
          action: 'Zu den Bots',
        },
      },
    },
    figures: 'Zahlen',
    counts: {
      members: (count, shown) => plural.de(count, { one: '1 Mitglied', other: `${shown} Mitglieder` }),
      invited: (count) => `${count} eingeladen`,
      bots: (count, shown) => plural.de(count, { one: '1 Bot', other: `${shown} Bots` }),
      off: (count) => `${count} abgeschaltet`,
      topics: (count, shown) => plural.de(count, { one: '1 Thema', other: `${shown} Themen` }),
      files: (used) => `${used} an Dateien`,
      filesOf: (used, quota) => `${used} von ${quota} durch Dateien belegt`,
    },
    messages: {
      title: 'Nachrichten der letzten 14 Tage',
      part: 'Nachrichten',
      utc: 'Ein Tag beginnt um Mitternacht UTC.',
      none: 'In den letzten 14 Tagen gab es keine Nachricht.',
    },
    deliveries: {
      title: 'Webhook-Zustellungen der letzten 24 Stunden',
      label: 'Versuche nach Stunden',
      delivered: 'zugestellt',
      failed: 'fehlgeschlagen',
      pending: 'warten gerade',
      capped: (count: string) => `${count} oder mehr`,
      none: 'In den letzten 24 Stunden wurde kein Webhook aufgerufen.',
    },
  },
})
