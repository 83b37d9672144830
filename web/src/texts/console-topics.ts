import { plural, texts } from './texts.ts'

/** Topics as admins look after them. */
export const consoleTopics = texts({
  en: {
    title: 'Topics',
    about: 'Members and visibility of topics. Messages are visible to a topic’s members only.',
    search: 'Find by name',
    state: 'State',
    anyState: 'Any',
    states: { open: 'Open', closed: 'Closed', archived: 'Archived' },
    columns: { name: 'Name', state: 'State', people: 'People', bots: 'Bots', created: 'Created' },
    count: (count: number) => plural.en(count, { one: '1 topic', other: `${count} topics` }),
    none: { title: 'No topics yet', text: 'Topics are created in the chat.' },
    manage: 'Manage members',
    export: 'Export as JSON',
    opened: (name: string) => `${name} is now open to everyone.`,
    closed: (name: string) => `${name} is now closed.`,
    restore: 'Restore',
    restored: (name: string) => `${name} restored.`,
    open: {
      action: 'Open to everyone',
      title: (name: string) => `Open ${name} to everyone?`,
      text: 'Everyone in the organization can find, read and join it.',
      costs: {
        past: 'This includes all earlier messages.',
        told: 'Its members will see that you opened it.',
        back: 'You can close it again, but people may have read it by then.',
      },
    },
    close: {
      action: 'Close',
      title: (name: string) => `Close ${name}?`,
      text: 'Only its members can find and read it.',
      costs: {
        members: 'Current members stay.',
        newcomers: 'New people no longer join it automatically.',
        back: 'Only its members can open it again.',
      },
    },
    archive: {
      action: 'Archive',
      title: (name: string) => `Archive ${name}?`,
      text: 'No one can write in it anymore, including bots.',
      costs: {
        kept: 'Its messages stay, and its members can read them.',
        back: 'You can restore it at any time.',
      },
      done: (name: string) => `${name} archived.`,
    },
    content: {
      open: 'Read messages',
      title: 'Messages',
      about: 'For owners, and for admins with an owner’s permission, if they give a reason.',
      warning:
        'All owners get a mail with your name and your reason. Each page you read is recorded in the audit log.',
      show: 'Show messages',
      earlier: 'Show earlier messages',
      export: 'Export messages',
      none: 'No messages yet.',
    },
    one: {
      back: 'Topics',
      botsStopped:
        'Bots kept answering each other here and were stopped. They continue once a person writes.',
      botsStoppedSince: 'Since',
      releaseBots: 'Resume bots',
      botsReleased: 'Bots can write here again.',
      about: (people: number, bots: number) =>
        `${plural.en(people, { one: '1 person', other: `${people} people` })}, ${plural.en(bots, { one: '1 bot', other: `${bots} bots` })}`,
      members: 'Members',
      search: 'Find by name or address',
      joined: 'Since',
      count: (count: number) => plural.en(count, { one: '1 member', other: `${count} members` }),
      none: { title: 'No members in this topic', text: 'Add the people and bots who belong here.' },
      fromInside:
        'You are not in this closed topic. Only its members can open it, add others or let bots hear more.',
      add: 'Add members',
      adding: {
        title: (name: string) => `Add members to ${name}`,
        label: 'People and bots',
        placeholder: 'Enter a name or address',
        hint: 'They can read all earlier messages.',
        missing: 'Choose at least one member.',
        action: 'Add',
        done: (count: number) =>
          plural.en(count, { one: '1 member added.', other: `${count} members added.` }),
      },
      remove: {
        action: 'Remove',
        title: (count: number, name: string) =>
          plural.en(count, { one: `Remove ${name}?`, other: `Remove ${count} members?` }),
        text: 'They can no longer read or write here, and bots receive no more events.',
        costs: { kept: 'Their messages stay.', back: 'You can add them again at any time.' },
        done: (count: number) =>
          plural.en(count, { one: '1 member removed.', other: `${count} members removed.` }),
      },
    },
  },
  de: {
    title: 'Themen',
    about: 'Mitglieder und Sichtbarkeit von Themen. Nachrichten sehen nur die Mitglieder eines Themas.',
    search: 'Nach Name suchen',
    state: 'Status',
    anyState: 'Alle',
    states: { open: 'Offen', closed: 'Geschlossen', archived: 'Archiviert' },
    columns: { name: 'Name', state: 'Status', people: 'Personen', bots: 'Bots', created: 'Angelegt' },
    count: (count) => plural.de(count, { one: '1 Thema', other: `${count} Themen` }),
    none: { title: 'Noch keine Themen', text: 'Themen werden im Chat angelegt.' },
    manage: 'Mitglieder verwalten',
    export: 'Als JSON exportieren',
    opened: (name) => `${name} steht jetzt allen offen.`,
    closed: (name) => `${name} ist jetzt geschlossen.`,
    restore: 'Wiederherstellen',
    restored: (name) => `${name} wurde wiederhergestellt.`,
    open: {
      action: 'Für alle öffnen',
      title: (name) => `${name} für alle öffnen?`,
      text: 'Alle Personen der Organisation können es finden, lesen und ihm beitreten.',
      costs: {
        past: 'Das gilt auch für alle bisherigen Nachrichten.',
        told: 'Die Mitglieder sehen, dass Sie es geöffnet haben.',
        back: 'Sie können es wieder schließen, aber bis dahin kann es gelesen worden sein.',
      },
    },
    close: {
      action: 'Schließen',
      title: (name) => `${name} schließen?`,
      text: 'Nur Mitglieder können es finden und lesen.',
      costs: {
        members: 'Die Mitglieder bleiben.',
        newcomers: 'Neue Personen treten nicht mehr automatisch bei.',
        back: 'Nur Mitglieder können es wieder öffnen.',
      },
    },
    archive: {
      action: 'Archivieren',
      title: (name) => `${name} archivieren?`,
      text: 'Niemand kann mehr darin schreiben, auch Bots nicht.',
      costs: {
        kept: 'Die Nachrichten bleiben, und die Mitglieder können sie lesen.',
        back: 'Sie können es jederzeit wiederherstellen.',
      },
      done: (name) => `${name} wurde archiviert.`,
    },
    content: {
      open: 'Nachrichten lesen',
      title: 'Nachrichten',
      about: 'Für Eigentümer und für Administratoren mit deren Erlaubnis, unter Angabe eines Grundes.',
      warning:
        'Alle Eigentümer bekommen eine E-Mail mit Ihrem Namen und Ihrem Grund. Jede gelesene Seite steht im Audit-Protokoll.',
      show: 'Nachrichten anzeigen',
      earlier: 'Frühere Nachrichten anzeigen',
      export: 'Nachrichten exportieren',
      none: 'Noch keine Nachrichten.',
    },
    one: {
      back: 'Themen',
      botsStopped:
        'Bots haben hier nur noch einander geantwortet und wurden gestoppt. Sie machen weiter, sobald eine Person schreibt.',
      botsStoppedSince: 'Seit',
      releaseBots: 'Bots fortsetzen',
      botsReleased: 'Bots können hier wieder schreiben.',
      about: (people, bots) =>
        `${plural.de(people, { one: '1 Person', other: `${people} Personen` })}, ${plural.de(bots, { one: '1 Bot', other: `${bots} Bots` })}`,
      members: 'Mitglieder',
      search: 'Nach Name oder Adresse suchen',
      joined: 'Seit',
      count: (count) => plural.de(count, { one: '1 Mitglied', other: `${count} Mitglieder` }),
      none: {
        title: 'Keine Mitglieder in diesem Thema',
        text: 'Fügen Sie die Personen und Bots hinzu, die hierher gehören.',
      },
      fromInside:
        'Sie sind nicht in diesem geschlossenen Thema. Nur seine Mitglieder können es öffnen, andere hinzufügen oder Bots mehr hören lassen.',
      add: 'Mitglieder hinzufügen',
      adding: {
        title: (name) => `Mitglieder zu ${name} hinzufügen`,
        label: 'Personen und Bots',
        placeholder: 'Name oder Adresse eingeben',
        hint: 'Sie können alle bisherigen Nachrichten lesen.',
        missing: 'Wählen Sie mindestens ein Mitglied.',
        action: 'Hinzufügen',
        done: (count) =>
          plural.de(count, {
            one: '1 Mitglied hinzugefügt.',
            other: `${count} Mitglieder hinzugefügt.`,
          }),
      },
      remove: {
        action: 'Entfernen',
        title: (count, name) =>
          plural.de(count, { one: `${name} entfernen?`, other: `${count} Mitglieder entfernen?` }),
        text: 'Sie können hier nicht mehr lesen und schreiben, und Bots erhalten keine Ereignisse mehr.',
        costs: {
          kept: 'Ihre Nachrichten bleiben.',
          back: 'Sie können sie jederzeit wieder hinzufügen.',
        },
        done: (count) =>
          plural.de(count, {
            one: '1 Mitglied wurde entfernt.',
            other: `${count} Mitglieder wurden entfernt.`,
          }),
      },
    },
  },
})
