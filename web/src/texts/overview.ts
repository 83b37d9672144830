import { plural, texts } from './texts.ts'

export const overview = texts({
  en: {
    title: 'Overview',
    about: (organization: string) => `${organization} at a glance. Updates automatically.`,
    next: {
      title: 'Next steps',
      failing: 'the webhook is failing',
      paused: 'the webhook is paused',
      since: 'Since',
      lookAtIt: 'Show deliveries',
      botsStopped: 'bots kept answering each other and were stopped',
      toTopic: 'Open topic',
      openSignup: {
        title: 'Anyone can create organizations on this server',
        text: (count: number) =>
          plural.en(count, {
            one: 'One was created in the last 24 hours.',
            other: `${count} were created in the last 24 hours.`,
          }),
        action: 'Open settings',
      },
      noBackup: {
        title: 'No backup yet',
        text: 'Run “parley backup” on the server, or set BACKUP_FOLDER for a daily backup.',
      },
      oldBackup: {
        title: 'The last backup is more than a week old',
        text: 'Run “parley backup” on the server, or set BACKUP_FOLDER for a daily backup.',
      },
      steps: {
        moreUnwell: {
          title: 'More webhooks need attention',
          text: 'The list of bots shows all webhooks that are failing or paused.',
          action: 'Show bots',
        },
        storage: {
          title: 'Storage is almost full',
          text: 'New files will be refused soon. Ask the person who runs this server for more space.',
          action: 'Open settings',
        },
        mail: {
          title: 'This server does not send mail',
          text: 'Invitations and password links are not delivered. The person who runs this server can set SMTP_URL; until then, copy invitation links yourself.',
          action: 'Show members',
        },
        invite: {
          title: 'Invite your team',
          text: 'You are the only member so far.',
          action: 'Invite people',
        },
        bot: {
          title: 'No bots yet',
          text: 'Bots take over work in your topics: they read, answer and remind.',
          action: 'Create bot',
        },
        quiet: {
          title: 'It is quiet here',
          text: 'No messages in the last 14 days. Your bots are ready: let one of them send a message.',
          action: 'Show bots',
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
      title: 'Messages, last 14 days',
      part: 'messages',
      utc: 'Days start at midnight UTC.',
      none: 'No messages in the last 14 days.',
    },
    deliveries: {
      title: 'Webhook deliveries, last 24 hours',
      label: 'Attempts per hour',
      delivered: 'delivered',
      failed: 'failed',
      pending: 'waiting now',
      capped: (count: string) => `${count} or more`,
      none: 'No webhook deliveries in the last 24 hours.',
    },
  },
  de: {
    title: 'Übersicht',
    about: (organization: string) => `${organization} auf einen Blick. Wird automatisch aktualisiert.`,
    next: {
      title: 'Nächste Schritte',
      failing: 'Der Webhook schlägt fehl',
      paused: 'Der Webhook ist pausiert',
      since: 'Seit',
      lookAtIt: 'Zustellungen anzeigen',
      botsStopped: 'Bots haben nur noch einander geantwortet und wurden gestoppt',
      toTopic: 'Thema öffnen',
      openSignup: {
        title: 'Jeder kann auf diesem Server Organisationen anlegen',
        text: (count) =>
          plural.de(count, {
            one: 'Eine entstand in den letzten 24 Stunden.',
            other: `${count} entstanden in den letzten 24 Stunden.`,
          }),
        action: 'Einstellungen öffnen',
      },
      noBackup: {
        title: 'Noch keine Datensicherung',
        text: 'Führen Sie auf dem Server „parley backup“ aus, oder setzen Sie BACKUP_FOLDER für eine tägliche Sicherung.',
      },
      oldBackup: {
        title: 'Die letzte Datensicherung ist über eine Woche alt',
        text: 'Führen Sie auf dem Server „parley backup“ aus, oder setzen Sie BACKUP_FOLDER für eine tägliche Sicherung.',
      },
      steps: {
        moreUnwell: {
          title: 'Weitere Webhooks brauchen Aufmerksamkeit',
          text: 'Die Liste der Bots zeigt alle Webhooks, die fehlschlagen oder pausiert sind.',
          action: 'Bots anzeigen',
        },
        storage: {
          title: 'Der Speicher ist fast voll',
          text: 'Neue Dateien werden bald abgelehnt. Bitten Sie die Person, die diesen Server betreibt, um mehr Platz.',
          action: 'Einstellungen öffnen',
        },
        mail: {
          title: 'Dieser Server verschickt keine Mails',
          text: 'Einladungen und Passwort-Links werden nicht zugestellt. Wer diesen Server betreibt, kann SMTP_URL setzen; bis dahin kopieren Sie Einladungslinks selbst.',
          action: 'Mitglieder anzeigen',
        },
        invite: {
          title: 'Laden Sie Ihr Team ein',
          text: 'Bisher sind Sie das einzige Mitglied.',
          action: 'Personen einladen',
        },
        bot: {
          title: 'Noch keine Bots',
          text: 'Bots übernehmen Arbeit in Ihren Themen: Sie lesen, antworten und erinnern.',
          action: 'Bot anlegen',
        },
        quiet: {
          title: 'Hier ist es still',
          text: 'Keine Nachrichten in den letzten 14 Tagen. Ihre Bots sind bereit: Lassen Sie einen davon eine Nachricht senden.',
          action: 'Bots anzeigen',
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
      none: 'Keine Nachrichten in den letzten 14 Tagen.',
    },
    deliveries: {
      title: 'Webhook-Zustellungen der letzten 24 Stunden',
      label: 'Versuche pro Stunde',
      delivered: 'zugestellt',
      failed: 'fehlgeschlagen',
      pending: 'warten gerade',
      capped: (count: string) => `${count} oder mehr`,
      none: 'Keine Webhook-Zustellungen in den letzten 24 Stunden.',
    },
  },
})
