import { plural, texts } from './texts.ts'

const members = (count: number): string => plural.en(count, { one: '1 member', other: `${count} members` })

/** A topic: its head, its details, how it begins, and who may write. */
export const topic = texts({
  en: {
    addDescription: 'Add a description',
    membersButton: (count: number) => `${members(count)}: show who is here`,
    pins: (count: number) => plural.en(count, { one: '1 pinned message', other: `${count} pinned messages` }),
    details: 'Details',
    tabs: { members: 'Members', pins: 'Pinned', settings: 'Settings' },
    favourite: 'Add to favourites',
    unfavourite: 'Remove from favourites',
    mute: 'Mute',
    unmute: 'Unmute',
    muted: (name: string) => `${name} is muted.`,
    unmuted: (name: string) => `${name} is no longer muted.`,
    more: 'More',
    copyLink: 'Copy link',
    linkCopied: 'Link copied.',
    archivedNote: 'Archived',
    announcementNote: 'Announcements',
    leave: 'Leave topic',
    archive: 'Archive topic',
    archived: (name: string) => `${name} is archived.`,
    unarchive: 'Unarchive topic',
    unarchived: (name: string) => `${name} unarchived.`,
    instead: {
      look: 'You are previewing an open topic.',
      join: 'Join',
      archived: 'This topic is archived. No one can write here.',
      announcement: 'Only admins and bots can write here. You can react to every message.',
    },
    begins: {
      title: (name: string) => `${name} starts here`,
      created: (creator: string) => `${creator} created this topic.`,
      createdByYou: 'You created this topic.',
      alone: 'You are the only member so far.',
      direct: (names: string) => `This conversation is between you and ${names}.`,
      directSelf: 'Only you can see these messages.',
      bot: (name: string) => `${name} is a bot. It receives every message you write here.`,
      kept: (days: number) =>
        plural.en(days, {
          one: 'Messages are deleted after a day.',
          other: `Messages are deleted after ${days} days.`,
        }),
      addMembers: 'Add members',
      addBot: 'Add a bot',
      writeDescription: 'Write a description',
    },
    room: {
      title: (name: string) => `The room is yours, ${name}`,
      about: (organization: string) =>
        `This is your first topic. Say what ${organization} will use Parley for, so that whoever you invite arrives in a conversation and not in an empty room.`,
      invite: 'Invite people',
      inviteAbout: 'By e-mail, or with a link',
      bot: 'Add a bot',
      botAbout: 'Its key is ready in a minute',
      server: 'Server is running',
      serverAbout: 'See its settings and figures',
    },
  },
  de: {
    addDescription: 'Beschreibung hinzufügen',
    membersButton: (count) =>
      `${plural.de(count, { one: '1 Mitglied', other: `${count} Mitglieder` })}: anzeigen, wer hier ist`,
    pins: (count) =>
      plural.de(count, { one: '1 angeheftete Nachricht', other: `${count} angeheftete Nachrichten` }),
    details: 'Details',
    tabs: { members: 'Mitglieder', pins: 'Angeheftet', settings: 'Einstellungen' },
    favourite: 'Zu Favoriten hinzufügen',
    unfavourite: 'Aus Favoriten entfernen',
    mute: 'Stumm schalten',
    unmute: 'Stummschaltung aufheben',
    muted: (name) => `${name} ist stummgeschaltet.`,
    unmuted: (name) => `${name} ist nicht mehr stummgeschaltet.`,
    more: 'Mehr',
    copyLink: 'Link kopieren',
    linkCopied: 'Link kopiert.',
    archivedNote: 'Archiviert',
    announcementNote: 'Ankündigungen',
    leave: 'Thema verlassen',
    archive: 'Thema archivieren',
    archived: (name) => `${name} ist archiviert.`,
    unarchive: 'Aus dem Archiv holen',
    unarchived: (name) => `${name} ist nicht mehr archiviert.`,
    instead: {
      look: 'Sie sehen die Vorschau eines offenen Themas.',
      join: 'Beitreten',
      archived: 'Dieses Thema ist archiviert. Niemand kann hier schreiben.',
      announcement:
        'Nur Administratoren und Bots können hier schreiben. Sie können auf jede Nachricht reagieren.',
    },
    begins: {
      title: (name) => `${name} beginnt hier`,
      created: (creator) => `${creator} hat dieses Thema angelegt.`,
      createdByYou: 'Sie haben dieses Thema angelegt.',
      alone: 'Bisher sind Sie das einzige Mitglied.',
      direct: (names) => `Diese Unterhaltung ist zwischen Ihnen und ${names}.`,
      directSelf: 'Nur Sie sehen diese Nachrichten.',
      bot: (name) => `${name} ist ein Bot. Er bekommt jede Nachricht, die Sie hier schreiben.`,
      kept: (days) =>
        plural.de(days, {
          one: 'Nachrichten werden nach einem Tag gelöscht.',
          other: `Nachrichten werden nach ${days} Tagen gelöscht.`,
        }),
      addMembers: 'Mitglieder hinzufügen',
      addBot: 'Bot hinzufügen',
      writeDescription: 'Beschreibung schreiben',
    },
    room: {
      title: (name) => `Der Raum gehört Ihnen, ${name}`,
      about: (organization) =>
        `Das ist Ihr erstes Thema. Schreiben Sie, wofür ${organization} Parley verwenden wird. Wen Sie einladen, der kommt dann in ein Gespräch und nicht in einen leeren Raum.`,
      invite: 'Personen einladen',
      inviteAbout: 'Per E-Mail oder mit einem Link',
      bot: 'Bot hinzufügen',
      botAbout: 'Sein Schlüssel ist in einer Minute da',
      server: 'Der Server läuft',
      serverAbout: 'Einstellungen und Zahlen ansehen',
    },
  },
})
