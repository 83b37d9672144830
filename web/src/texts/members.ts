import { plural, texts } from './texts.ts'

export const members = texts({
  en: {
    title: 'Members',
    about: 'The people in your organization. Bots have their own page.',
    invite: 'Invite',
    links: 'Join links',
    search: 'Find by name or address',
    status: 'State',
    anyStatus: 'All but deleted',
    anyRole: 'Any',
    columns: { person: 'Name', role: 'Role', status: 'State', lastSeen: 'Last seen' },
    neverSeen: 'Never',
    count: (count: number) => plural.en(count, { one: '1 member', other: `${count} members` }),
    you: 'You',
    expires: 'Expires',
    expired: 'Invitation expired',
    none: {
      title: 'No members',
      text: 'Invite the people you work with.',
    },
    many: {
      open: 'Invite many',
      title: 'Invite many people',
      list: 'Addresses',
      hint: 'One person per line: an address, and optionally a name. You can paste a list from a spreadsheet.',
      file: 'Or choose a CSV file',
      count: (count: number) => plural.en(count, { one: '1 line', other: `${count} lines` }),
      missing: 'Enter at least one address.',
      tooMany: (most: number) => `You can invite up to ${most} people at once. Split the list.`,
      action: (count: number) => (count === 0 ? 'Invite' : `Invite ${count}`),
      noMail: 'This server does not send mail. You get a link for each person to pass on yourself.',
      report: (invited: number, all: number) => `${invited} of ${all} invited`,
      linksOnce: 'Copy the links now. They are not shown again. Each works once and expires after 7 days.',
      invited: 'Invited',
      copyLink: 'Copy link',
    },
    notInvited: 'Not invited yet',
    waits: 'Invitation waiting',
    missing: {
      count: (count: number) =>
        plural.en(count, {
          one: '1 person has not been invited yet.',
          other: `${count} people have not been invited yet.`,
        }),
      expired: (count: number) =>
        plural.en(count, { one: '1 invitation has expired.', other: `${count} invitations have expired.` }),
      action: 'Invite all',
      again: 'Send new links',
      title: (count: number) =>
        plural.en(count, { one: 'Invite 1 person?', other: `Invite ${count} people?` }),
      text: (perHour: number) =>
        `Each person gets a mail with a link to join. Up to ${perHour} go out per hour; the rest follow automatically.`,
      withExpired: (count: number) =>
        plural.en(count, {
          one: 'Also send a new link to the person whose invitation has expired',
          other: `Also send a new link to the ${count} people whose invitations have expired`,
        }),
      send: 'Send invitations',
      done: 'The invitations are being sent.',
      waiting: (count: number) =>
        plural.en(count, {
          one: '1 invitation is waiting to be sent.',
          other: `${count} invitations are waiting to be sent.`,
        }),
      next: 'Next:',
      stop: 'Stop',
      stopped: 'The waiting invitations will not be sent.',
    },
    bulk: {
      partly: (done: number, all: number) => `Done for ${done} of ${all}`,
      role: {
        action: 'Change role',
        title: (count: number) =>
          plural.en(count, {
            one: 'Change the role of 1 member',
            other: `Change the role of ${count} members`,
          }),
        text: 'The role applies from their next click.',
        done: (count: number) =>
          plural.en(count, { one: '1 member has a new role.', other: `${count} members have a new role.` }),
      },
      sessions: {
        action: 'Sign out',
        title: (count: number) =>
          plural.en(count, { one: 'Sign 1 member out?', other: `Sign ${count} members out?` }),
        text: 'They are signed out in every browser immediately and can sign in again.',
        done: (count: number) =>
          plural.en(count, { one: '1 member was signed out.', other: `${count} members were signed out.` }),
      },
      archive: {
        action: 'Archive',
        title: (count: number) =>
          plural.en(count, { one: 'Archive 1 member?', other: `Archive ${count} members?` }),
        text: 'They lose access immediately. Their messages stay, under their names. Invitations stop working.',
        back: 'You can restore them at any time.',
        done: (count: number) =>
          plural.en(count, { one: '1 member was archived.', other: `${count} members were archived.` }),
      },
    },
    roleHints: {
      guest: 'Sees only the topics they are in, and who else is there.',
      member: 'Takes part in topics. Cannot open this console.',
      admin: 'Also manages members, bots and settings.',
      owner: 'Also decides who else is an owner.',
    },
    inviting: {
      title: 'Invite a person',
      email: 'E-mail address',
      emailHint: 'They get a mail with a link to join.',
      emailMissing: 'Enter an e-mail address.',
      name: 'Name (optional)',
      nameHint: 'They can change it when they join.',
      role: 'Role',
      action: 'Send invitation',
      sent: (email: string) => `Invitation sent to ${email}.`,
      emailHintNoMail: 'They sign in with it.',
      actionNoMail: 'Invite',
      noMail: 'This server does not send mail. You get a link to pass on yourself.',
    },
    link: {
      action: 'Copy invitation link',
      title: (name: string) => `Invitation link for ${name}`,
      text: (email: string) =>
        `Pass this link on to ${email} yourself. It works once, expires after 7 days, and is not shown again.`,
      label: 'Link',
      warning:
        'Anyone who opens it joins as this person. Earlier links no longer work, including those sent by mail.',
    },
    again: {
      action: 'Send again',
      sent: (email: string) => `New invitation sent to ${email}. Earlier links no longer work.`,
    },
    reinvite: {
      action: 'Invite again',
    },
    role: {
      action: 'Change role',
      title: (name: string) => `Role of ${name}`,
      changed: (name: string, role: string) => `Role of ${name} changed to ${role}.`,
    },
    guestEnd: {
      action: 'End of access',
      title: (name: string) => `End of access of ${name}`,
      label: 'Last day (optional)',
      hint: 'When that day is over they are signed out and archived.',
      past: 'Choose a day that is not over.',
      saved: (name: string) => `End of access of ${name} saved.`,
      until: 'Access ends',
      topics: 'Then add them to topics: in the chat, or on the page of a topic.',
    },
    access: {
      action: 'Access',
      title: (name: string) => `Access of ${name}`,
      sessions: {
        title: 'Sessions',
        count: (count: number) =>
          plural.en(count, { one: 'Signed in on 1 browser.', other: `Signed in on ${count} browsers.` }),
        nowhere: 'Not signed in.',
        text: 'Signs them out in every browser immediately. They can sign in again. They stay signed in to other organizations.',
        action: 'Sign out everywhere',
        done: (name: string) => `${name} signed out.`,
      },
      secondFactor: {
        title: 'Second factor',
        none: 'Not set up.',
        passkey: 'They sign in with a passkey, which counts as two factors. There is no code to reset.',
        code: 'For people who lost their phone and their recovery codes. Their codes stop working, they are signed out, and their password alone is enough until they set up a new second factor. Passkeys stay. They get a mail about it.',
        action: 'Reset second factor',
        done: (name: string) => `Second factor of ${name} reset.`,
      },
    },
    archive: {
      action: 'Archive',
      title: (name: string) => `Archive ${name}?`,
      text: 'They lose access immediately.',
      costs: {
        sessions: 'They are signed out in every browser.',
        kept: 'Their messages stay, under their name.',
        back: 'You can restore them at any time.',
      },
      done: (name: string) => `${name} archived.`,
    },
    restore: {
      action: 'Restore',
      done: (name: string) => `${name} restored.`,
      invited: (name: string) => `${name} restored and invited again.`,
    },
    delete: {
      action: 'Delete',
      title: (name: string) => `Delete ${name}?`,
      text: 'They lose access immediately and leave the organization.',
      costs: {
        sessions: 'They are signed out in every browser.',
        kept: 'Their messages stay in their topics.',
        back: 'To undo this, you have to invite them again.',
      },
      done: (name: string) => `${name} deleted.`,
    },
    withdraw: {
      action: 'Withdraw',
      title: (name: string) => `Withdraw the invitation for ${name}?`,
      text: 'The link stops working.',
      costs: { back: 'You can invite them again later.' },
      done: (name: string) => `Invitation for ${name} withdrawn.`,
    },
  },
  de: {
    title: 'Mitglieder',
    about: 'Die Personen in Ihrer Organisation. Bots haben ihre eigene Seite.',
    invite: 'Einladen',
    links: 'Beitrittslinks',
    search: 'Nach Name oder Adresse suchen',
    status: 'Status',
    anyStatus: 'Alle außer gelöschten',
    anyRole: 'Alle',
    columns: { person: 'Name', role: 'Rolle', status: 'Status', lastSeen: 'Zuletzt aktiv' },
    neverSeen: 'Nie',
    count: (count) => plural.de(count, { one: '1 Mitglied', other: `${count} Mitglieder` }),
    you: 'Sie',
    expires: 'Läuft ab',
    expired: 'Einladung abgelaufen',
    none: {
      title: 'Keine Mitglieder',
      text: 'Laden Sie die Personen ein, mit denen Sie arbeiten.',
    },
    many: {
      open: 'Mehrere einladen',
      title: 'Mehrere Personen einladen',
      list: 'Adressen',
      hint: 'Eine Person pro Zeile: eine Adresse und optional ein Name. Sie können eine Liste aus einer Tabelle einfügen.',
      file: 'Oder eine CSV-Datei wählen',
      count: (count) => plural.de(count, { one: '1 Zeile', other: `${count} Zeilen` }),
      missing: 'Geben Sie mindestens eine Adresse ein.',
      tooMany: (most) => `Sie können bis zu ${most} Personen auf einmal einladen. Teilen Sie die Liste auf.`,
      action: (count) => (count === 0 ? 'Einladen' : `${count} einladen`),
      noMail:
        'Dieser Server verschickt keine Mails. Sie bekommen für jede Person einen Link, den Sie selbst weitergeben.',
      report: (invited, all) => `${invited} von ${all} eingeladen`,
      linksOnce:
        'Kopieren Sie die Links jetzt. Sie werden nicht noch einmal angezeigt. Jeder gilt einmal und läuft nach 7 Tagen ab.',
      invited: 'Eingeladen',
      copyLink: 'Link kopieren',
    },
    notInvited: 'Noch nicht eingeladen',
    waits: 'Einladung wartet',
    missing: {
      count: (count) =>
        plural.de(count, {
          one: '1 Person wurde noch nicht eingeladen.',
          other: `${count} Personen wurden noch nicht eingeladen.`,
        }),
      expired: (count) =>
        plural.de(count, {
          one: '1 Einladung ist abgelaufen.',
          other: `${count} Einladungen sind abgelaufen.`,
        }),
      action: 'Alle einladen',
      again: 'Neue Links senden',
      title: (count) => plural.de(count, { one: '1 Person einladen?', other: `${count} Personen einladen?` }),
      text: (perHour) =>
        `Jede Person bekommt eine Mail mit einem Link zum Beitreten. Pro Stunde gehen bis zu ${perHour} hinaus, der Rest folgt automatisch.`,
      withExpired: (count) =>
        plural.de(count, {
          one: 'Auch der Person einen neuen Link senden, deren Einladung abgelaufen ist',
          other: `Auch den ${count} Personen einen neuen Link senden, deren Einladungen abgelaufen sind`,
        }),
      send: 'Einladungen senden',
      done: 'Die Einladungen werden gesendet.',
      waiting: (count) =>
        plural.de(count, {
          one: '1 Einladung wartet darauf, gesendet zu werden.',
          other: `${count} Einladungen warten darauf, gesendet zu werden.`,
        }),
      next: 'Nächste:',
      stop: 'Anhalten',
      stopped: 'Die wartenden Einladungen werden nicht gesendet.',
    },
    bulk: {
      partly: (done, all) => `Bei ${done} von ${all} erledigt`,
      role: {
        action: 'Rolle ändern',
        title: (count) =>
          plural.de(count, {
            one: 'Rolle von 1 Mitglied ändern',
            other: `Rolle von ${count} Mitgliedern ändern`,
          }),
        text: 'Die Rolle gilt ab dem nächsten Klick der Mitglieder.',
        done: (count) =>
          plural.de(count, {
            one: '1 Mitglied hat eine neue Rolle.',
            other: `${count} Mitglieder haben eine neue Rolle.`,
          }),
      },
      sessions: {
        action: 'Abmelden',
        title: (count) =>
          plural.de(count, { one: '1 Mitglied abmelden?', other: `${count} Mitglieder abmelden?` }),
        text: 'Sie werden sofort in allen Browsern abgemeldet und können sich neu anmelden.',
        done: (count) =>
          plural.de(count, {
            one: '1 Mitglied wurde abgemeldet.',
            other: `${count} Mitglieder wurden abgemeldet.`,
          }),
      },
      archive: {
        action: 'Archivieren',
        title: (count) =>
          plural.de(count, { one: '1 Mitglied archivieren?', other: `${count} Mitglieder archivieren?` }),
        text: 'Sie verlieren sofort den Zugang. Ihre Nachrichten bleiben unter ihren Namen stehen. Einladungen gelten nicht mehr.',
        back: 'Sie können sie jederzeit wiederherstellen.',
        done: (count) =>
          plural.de(count, {
            one: '1 Mitglied wurde archiviert.',
            other: `${count} Mitglieder wurden archiviert.`,
          }),
      },
    },
    roleHints: {
      guest: 'Sieht nur die eigenen Themen und wer dort noch ist.',
      member: 'Nimmt an Themen teil. Kann diese Verwaltung nicht öffnen.',
      admin: 'Verwaltet auch Mitglieder, Bots und Einstellungen.',
      owner: 'Entscheidet auch, wer sonst noch Eigentümer ist.',
    },
    inviting: {
      title: 'Person einladen',
      email: 'E-Mail-Adresse',
      emailHint: 'Die Person bekommt eine Mail mit einem Link zum Beitreten.',
      emailMissing: 'Geben Sie eine E-Mail-Adresse ein.',
      name: 'Name (optional)',
      nameHint: 'Die Person kann ihn beim Beitreten ändern.',
      role: 'Rolle',
      action: 'Einladung senden',
      sent: (email) => `Einladung an ${email} gesendet.`,
      emailHintNoMail: 'Damit meldet sich die Person an.',
      actionNoMail: 'Einladen',
      noMail: 'Dieser Server verschickt keine Mails. Sie bekommen einen Link, den Sie selbst weitergeben.',
    },
    link: {
      action: 'Einladungslink kopieren',
      title: (name) => `Einladungslink für ${name}`,
      text: (email) =>
        `Geben Sie diesen Link selbst an ${email} weiter. Er gilt einmal, läuft nach 7 Tagen ab und wird nicht noch einmal angezeigt.`,
      label: 'Link',
      warning:
        'Wer ihn öffnet, tritt als diese Person bei. Frühere Links gelten nicht mehr, auch per Mail verschickte.',
    },
    again: {
      action: 'Erneut senden',
      sent: (email) => `Neue Einladung an ${email} gesendet. Frühere Links gelten nicht mehr.`,
    },
    reinvite: {
      action: 'Neu einladen',
    },
    role: {
      action: 'Rolle ändern',
      title: (name) => `Rolle von ${name}`,
      changed: (name, role) => `Rolle von ${name} in ${role} geändert.`,
    },
    guestEnd: {
      action: 'Ende des Zugangs',
      title: (name) => `Ende des Zugangs von ${name}`,
      label: 'Letzter Tag (optional)',
      hint: 'Ist dieser Tag vorbei, werden sie abgemeldet und archiviert.',
      past: 'Wählen Sie einen Tag, der nicht vorbei ist.',
      saved: (name) => `Ende des Zugangs von ${name} gespeichert.`,
      until: 'Zugang endet',
      topics: 'Fügen Sie sie danach zu Themen hinzu: im Chat oder auf der Seite eines Themas.',
    },
    access: {
      action: 'Zugang',
      title: (name) => `Zugang von ${name}`,
      sessions: {
        title: 'Sitzungen',
        count: (count) =>
          plural.de(count, { one: 'In 1 Browser angemeldet.', other: `In ${count} Browsern angemeldet.` }),
        nowhere: 'Nicht angemeldet.',
        text: 'Meldet die Person sofort in allen Browsern ab. Sie kann sich neu anmelden. In anderen Organisationen bleibt sie angemeldet.',
        action: 'Überall abmelden',
        done: (name) => `${name} wurde abgemeldet.`,
      },
      secondFactor: {
        title: 'Zweiter Faktor',
        none: 'Nicht eingerichtet.',
        passkey:
          'Die Person meldet sich mit einem Passkey an, der als zwei Faktoren zählt. Es gibt keinen Code, der zurückzusetzen wäre.',
        code: 'Für Personen, die Telefon und Wiederherstellungscodes verloren haben. Ihre Codes gelten nicht mehr, sie werden abgemeldet, und ihr Passwort allein genügt, bis sie einen neuen zweiten Faktor einrichten. Passkeys bleiben. Sie bekommen eine Mail darüber.',
        action: 'Zweiten Faktor zurücksetzen',
        done: (name) => `Der zweite Faktor von ${name} wurde zurückgesetzt.`,
      },
    },
    archive: {
      action: 'Archivieren',
      title: (name) => `${name} archivieren?`,
      text: 'Die Person verliert sofort den Zugang.',
      costs: {
        sessions: 'Sie wird in allen Browsern abgemeldet.',
        kept: 'Ihre Nachrichten bleiben unter ihrem Namen stehen.',
        back: 'Sie können sie jederzeit wiederherstellen.',
      },
      done: (name) => `${name} wurde archiviert.`,
    },
    restore: {
      action: 'Wiederherstellen',
      done: (name) => `${name} wurde wiederhergestellt.`,
      invited: (name) => `${name} wurde wiederhergestellt und erneut eingeladen.`,
    },
    delete: {
      action: 'Löschen',
      title: (name) => `${name} löschen?`,
      text: 'Die Person verliert sofort den Zugang und verlässt die Organisation.',
      costs: {
        sessions: 'Sie wird in allen Browsern abgemeldet.',
        kept: 'Ihre Nachrichten bleiben in den Themen stehen.',
        back: 'Um das rückgängig zu machen, müssen Sie sie neu einladen.',
      },
      done: (name) => `${name} wurde gelöscht.`,
    },
    withdraw: {
      action: 'Zurückziehen',
      title: (name) => `Einladung für ${name} zurückziehen?`,
      text: 'Der Link gilt dann nicht mehr.',
      costs: { back: 'Sie können später neu einladen.' },
      done: (name) => `Die Einladung für ${name} wurde zurückgezogen.`,
    },
  },
})
