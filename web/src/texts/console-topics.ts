import { plural, texts } from './texts.ts'

/** Topics as admins look after them. */
export const consoleTopics = texts({
  en: {
    title: 'Topics',
    about: 'Who is in which topic, and who can find it. What is said in a topic is for its members alone.',
    search: 'Find by name',
    state: 'State',
    anyState: 'Any',
    states: { open: 'Open', closed: 'Closed', archived: 'Archived' },
    columns: { name: 'Name', state: 'State', people: 'People', bots: 'Bots', created: 'Created' },
    count: (count: number) => plural.en(count, { one: '1 topic', other: `${count} topics` }),
    none: { title: 'No topics yet', text: 'Topics are created in the chat.' },
    manage: 'Manage members',
    export: 'Export as JSON',
    opened: (name: string) => `${name} is open to everybody now.`,
    closed: (name: string) => `${name} is closed now.`,
    restore: 'Bring back',
    restored: (name: string) => `${name} is back.`,
    open: {
      action: 'Open to everybody',
      title: (name: string) => `Open ${name} to everybody?`,
      text: 'Every person of the organization can find, read and join it.',
      costs: {
        past: 'That includes all that was said in it so far.',
        told: 'Its members see that you opened it.',
        back: 'You can close it again, but what was read was read.',
      },
    },
    close: {
      action: 'Close',
      title: (name: string) => `Close ${name}?`,
      text: 'Only its members can find and read it.',
      costs: {
        members: 'Who is in it stays in it.',
        newcomers: 'New people no longer join it by themselves.',
        back: 'Only somebody who is in it can open it again.',
      },
    },
    archive: {
      action: 'Archive',
      title: (name: string) => `Archive ${name}?`,
      text: 'Nobody can write in it any more, bots neither.',
      costs: {
        kept: 'What was said stays, and its members can read it.',
        back: 'You can bring it back at any time.',
      },
      done: (name: string) => `${name} was archived.`,
    },
    content: {
      open: 'Read messages',
      title: 'Messages',
      about: 'For owners, and admins whom an owner allowed it, with a reason.',
      warning:
        'All owners get a mail with your name and your reason. Each page you read is in the audit log.',
      show: 'Show messages',
      earlier: 'Show earlier messages',
      export: 'Export messages',
      none: 'Nothing has been said here yet.',
    },
    one: {
      back: 'Topics',
      botsStopped:
        'Bots only answered each other here, and were stopped. A message of a person lets them go on.',
      botsStoppedSince: 'Since',
      releaseBots: 'Let bots go on',
      botsReleased: 'Bots can write here again.',
      about: (people: number, bots: number) =>
        `${plural.en(people, { one: '1 person', other: `${people} people` })}, ${plural.en(bots, { one: '1 bot', other: `${bots} bots` })}`,
      members: 'Members',
      search: 'Find by name or address',
      joined: 'Since',
      count: (count: number) => plural.en(count, { one: '1 member', other: `${count} members` }),
      none: { title: 'Nobody is in this topic', text: 'Add the people and bots who belong here.' },
      fromInside:
        'You are not in this closed topic. Only its members open it, add others or let bots hear more.',
      add: 'Add members',
      adding: {
        title: (name: string) => `Add members to ${name}`,
        label: 'People and bots',
        placeholder: 'Type a name or an address',
        hint: 'They can read all that was said in it so far.',
        missing: 'Choose somebody first.',
        action: 'Add',
        done: (count: number) =>
          plural.en(count, { one: '1 member was added.', other: `${count} members were added.` }),
      },
      remove: {
        action: 'Remove',
        title: (count: number, name: string) =>
          plural.en(count, { one: `Remove ${name}?`, other: `Remove ${count} members?` }),
        text: 'They no longer read or write here, and bots hear nothing more of it.',
        costs: { kept: 'What they wrote stays.', back: 'You can add them again at any time.' },
        done: (count: number) =>
          plural.en(count, { one: '1 member was removed.', other: `${count} members were removed.` }),
      },
    },
  },
  de: {
    title: 'Themen',
    about:
      'Wer in welchem Thema ist, und wer es finden kann. Was darin gesagt wird, gehört allein seinen Mitgliedern.',
    search: 'Name finden',
    state: 'Zustand',
    anyState: 'Alle',
    states: { open: 'Offen', closed: 'Geschlossen', archived: 'Archiviert' },
    columns: { name: 'Name', state: 'Zustand', people: 'Personen', bots: 'Bots', created: 'Angelegt' },
    count: (count) => plural.de(count, { one: '1 Thema', other: `${count} Themen` }),
    none: { title: 'Noch keine Themen', text: 'Themen werden im Chat angelegt.' },
    manage: 'Mitglieder verwalten',
    export: 'Als JSON exportieren',
    opened: (name) => `${name} steht jetzt allen offen.`,
    closed: (name) => `${name} ist jetzt geschlossen.`,
    restore: 'Zurückholen',
    restored: (name) => `${name} ist wieder da.`,
    open: {
      action: 'Für alle öffnen',
      title: (name) => `${name} für alle öffnen?`,
      text: 'Alle Personen der Organisation können es finden, lesen und ihm beitreten.',
      costs: {
        past: 'Auch alles, was bisher darin gesagt wurde.',
        told: 'Die Mitglieder sehen, dass Sie es geöffnet haben.',
        back: 'Sie können es wieder schließen, aber was gelesen ist, ist gelesen.',
      },
    },
    close: {
      action: 'Schließen',
      title: (name) => `${name} schließen?`,
      text: 'Nur Mitglieder können es finden und lesen.',
      costs: {
        members: 'Wer darin ist, bleibt darin.',
        newcomers: 'Neue Personen treten nicht mehr von selbst bei.',
        back: 'Nur wer darin ist, kann es wieder öffnen.',
      },
    },
    archive: {
      action: 'Archivieren',
      title: (name) => `${name} archivieren?`,
      text: 'Niemand kann mehr darin schreiben, auch Bots nicht.',
      costs: {
        kept: 'Was gesagt wurde, bleibt, und die Mitglieder können es lesen.',
        back: 'Sie können es jederzeit zurückholen.',
      },
      done: (name) => `${name} wurde archiviert.`,
    },
    content: {
      open: 'Nachrichten lesen',
      title: 'Nachrichten',
      about: 'Für Eigentümer, und für Administratoren, denen es ein Eigentümer erlaubt hat, mit einem Grund.',
      warning:
        'Alle Eigentümer bekommen eine E-Mail mit Ihrem Namen und Ihrem Grund. Jede gelesene Seite steht im Änderungsprotokoll.',
      show: 'Nachrichten zeigen',
      earlier: 'Frühere Nachrichten zeigen',
      export: 'Nachrichten exportieren',
      none: 'Hier wurde noch nichts gesagt.',
    },
    one: {
      back: 'Themen',
      botsStopped:
        'Bots haben hier nur noch einander geantwortet und wurden gestoppt. Eine Nachricht eines Menschen lässt sie weitermachen.',
      botsStoppedSince: 'Seit',
      releaseBots: 'Bots weitermachen lassen',
      botsReleased: 'Bots können hier wieder schreiben.',
      about: (people, bots) =>
        `${plural.de(people, { one: '1 Person', other: `${people} Personen` })}, ${plural.de(bots, { one: '1 Bot', other: `${bots} Bots` })}`,
      members: 'Mitglieder',
      search: 'Name oder Adresse finden',
      joined: 'Seit',
      count: (count) => plural.de(count, { one: '1 Mitglied', other: `${count} Mitglieder` }),
      none: {
        title: 'Niemand ist in diesem Thema',
        text: 'Nehmen Sie die Personen und Bots auf, die hierher gehören.',
      },
      fromInside:
        'Sie sind nicht in diesem geschlossenen Thema. Nur seine Mitglieder öffnen es, nehmen andere auf oder lassen Bots mehr hören.',
      add: 'Mitglieder aufnehmen',
      adding: {
        title: (name) => `Mitglieder in ${name} aufnehmen`,
        label: 'Personen und Bots',
        placeholder: 'Name oder Adresse eingeben',
        hint: 'Sie können alles lesen, was bisher darin gesagt wurde.',
        missing: 'Wählen Sie zuerst jemanden aus.',
        action: 'Aufnehmen',
        done: (count) =>
          plural.de(count, {
            one: '1 Mitglied wurde aufgenommen.',
            other: `${count} Mitglieder wurden aufgenommen.`,
          }),
      },
      remove: {
        action: 'Entfernen',
        title: (count, name) =>
          plural.de(count, { one: `${name} entfernen?`, other: `${count} Mitglieder entfernen?` }),
        text: 'Sie lesen und schreiben hier nicht mehr, und Bots hören nichts mehr davon.',
        costs: {
          kept: 'Was sie geschrieben haben, bleibt.',
          back: 'Sie können sie jederzeit wieder aufnehmen.',
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
