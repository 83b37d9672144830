import { plural, texts } from './texts.ts'

export const members = texts({
  en: {
    title: 'Members',
    about: 'The people of your organization. Bots have a page of their own.',
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
      title: 'Nobody here',
      text: 'Invite the people you work with.',
    },
    many: {
      open: 'Invite many',
      title: 'Invite many people',
      list: 'Addresses',
      hint: 'One person a line: an address, and a name beside it if you like. Lists from a spreadsheet work too.',
      file: 'Or choose a CSV file',
      count: (count: number) => plural.en(count, { one: '1 line', other: `${count} lines` }),
      missing: 'Enter at least one address.',
      tooMany: (most: number) => `At most ${most} people at once. Send the list in parts.`,
      action: (count: number) => (count === 0 ? 'Invite' : `Invite ${count}`),
      noMail: 'This server sends no mail. You get a link for each person to pass on yourself.',
      report: (invited: number, all: number) => `${invited} of ${all} invited`,
      linksOnce: 'Copy the links now: they are not shown again. Each works once, for 7 days.',
      invited: 'Invited',
      copyLink: 'Copy link',
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
        text: 'The role counts from their next click on.',
        done: (count: number) =>
          plural.en(count, { one: '1 member has a new role.', other: `${count} members have a new role.` }),
      },
      sessions: {
        action: 'Sign out',
        title: (count: number) =>
          plural.en(count, { one: 'Sign 1 member out?', other: `Sign ${count} members out?` }),
        text: 'They are signed out on every browser, at once, and can sign in again.',
        done: (count: number) =>
          plural.en(count, { one: '1 member was signed out.', other: `${count} members were signed out.` }),
      },
      archive: {
        action: 'Archive',
        title: (count: number) =>
          plural.en(count, { one: 'Archive 1 member?', other: `Archive ${count} members?` }),
        text: 'They lose access at once. What they wrote stays, with their names. Invitations stop working.',
        back: 'You can bring each of them back at any time.',
        done: (count: number) =>
          plural.en(count, { one: '1 member was archived.', other: `${count} members were archived.` }),
      },
    },
    roleHints: {
      member: 'Takes part in topics. Does not see this console.',
      admin: 'Also manages members, bots and settings.',
      owner: 'Also decides who else is an owner.',
    },
    inviting: {
      title: 'Invite somebody',
      email: 'E-mail address',
      emailHint: 'They get a mail with a link to join.',
      emailMissing: 'Please enter an e-mail address.',
      name: 'Name (optional)',
      nameHint: 'They can change it when they join.',
      role: 'Role',
      action: 'Send invitation',
      sent: (email: string) => `The invitation to ${email} is on its way.`,
      emailHintNoMail: 'They sign in with it.',
      actionNoMail: 'Invite',
      noMail: 'This server sends no mail. You get a link to pass on yourself.',
    },
    link: {
      action: 'Copy invitation link',
      title: (name: string) => `Invitation link for ${name}`,
      text: (email: string) =>
        `Pass this link on to ${email} yourself. It works once, for 7 days, and is not shown again.`,
      label: 'Link',
      warning:
        'Whoever opens it joins as this person. Earlier links no longer work, also one that was mailed.',
    },
    again: {
      action: 'Send again',
      sent: (email: string) => `A new invitation to ${email} is on its way. Earlier links no longer work.`,
    },
    reinvite: {
      action: 'Invite again',
    },
    role: {
      action: 'Change role',
      title: (name: string) => `Role of ${name}`,
      changed: (name: string, role: string) => `${name} is now: ${role}.`,
    },
    access: {
      action: 'Access',
      title: (name: string) => `Access of ${name}`,
      sessions: {
        title: 'Where they are signed in',
        count: (count: number) =>
          plural.en(count, { one: 'In 1 browser now.', other: `In ${count} browsers now.` }),
        nowhere: 'Nowhere right now.',
        text: 'Signs them out on every browser, at once. They can sign in again. Who belongs to other organizations stays signed in there.',
        action: 'Sign out everywhere',
        done: (name: string) => `${name} was signed out.`,
      },
      secondFactor: {
        title: 'Second factor',
        none: 'They have not set one up.',
        passkey: 'They sign in with a passkey, which counts as two factors. There is no code to reset.',
        code: 'For somebody who lost their phone and their recovery codes. Their codes stop working, they are signed out, and their password alone signs them in until they set up another. Passkeys stay. They are told by mail.',
        action: 'Reset second factor',
        done: (name: string) => `The second factor of ${name} was reset.`,
      },
    },
    archive: {
      action: 'Archive',
      title: (name: string) => `Archive ${name}?`,
      text: 'They lose access at once.',
      costs: {
        sessions: 'They are signed out on every browser.',
        kept: 'What they wrote stays, with their name.',
        back: 'You can bring them back at any time.',
      },
      done: (name: string) => `${name} was archived.`,
    },
    restore: {
      action: 'Bring back',
      done: (name: string) => `${name} is back.`,
      invited: (name: string) => `${name} is back, and invited as before.`,
    },
    delete: {
      action: 'Delete',
      title: (name: string) => `Delete ${name}?`,
      text: 'They lose access at once and leave the organization.',
      costs: {
        sessions: 'They are signed out on every browser.',
        kept: 'What they wrote stays in its topics.',
        back: 'To have them back you would invite them again.',
      },
      done: (name: string) => `${name} was deleted.`,
    },
    withdraw: {
      action: 'Withdraw',
      title: (name: string) => `Withdraw the invitation for ${name}?`,
      text: 'The link stops working.',
      costs: { back: 'You can invite them again later.' },
      done: (name: string) => `The invitation for ${name} was withdrawn.`,
    },
  },
  de: {
    title: 'Mitglieder',
    about: 'Die Menschen Ihrer Organisation. Bots haben ihre eigene Seite.',
    invite: 'Einladen',
    links: 'Beitrittslinks',
    search: 'Name oder Adresse finden',
    status: 'Zustand',
    anyStatus: 'Alle außer gelöschten',
    anyRole: 'Alle',
    columns: { person: 'Name', role: 'Rolle', status: 'Zustand', lastSeen: 'Zuletzt hier' },
    neverSeen: 'Noch nie',
    count: (count) => plural.de(count, { one: '1 Mitglied', other: `${count} Mitglieder` }),
    you: 'Sie',
    expires: 'Läuft ab',
    expired: 'Einladung abgelaufen',
    none: {
      title: 'Hier ist niemand',
      text: 'Laden Sie die Menschen ein, mit denen Sie arbeiten.',
    },
    many: {
      open: 'Mehrere einladen',
      title: 'Mehrere Personen einladen',
      list: 'Adressen',
      hint: 'Eine Person je Zeile: eine Adresse und, wenn Sie mögen, ein Name daneben. Listen aus einer Tabelle gehen auch.',
      file: 'Oder eine CSV-Datei wählen',
      count: (count) => plural.de(count, { one: '1 Zeile', other: `${count} Zeilen` }),
      missing: 'Geben Sie mindestens eine Adresse ein.',
      tooMany: (most) => `Höchstens ${most} Personen auf einmal. Schicken Sie die Liste in Teilen.`,
      action: (count) => (count === 0 ? 'Einladen' : `${count} einladen`),
      noMail:
        'Dieser Server verschickt keine Mails. Sie bekommen für jede Person einen Link, den Sie selbst weitergeben.',
      report: (invited, all) => `${invited} von ${all} eingeladen`,
      linksOnce:
        'Kopieren Sie die Links jetzt: Sie werden nicht noch einmal gezeigt. Jeder gilt einmal, sieben Tage lang.',
      invited: 'Eingeladen',
      copyLink: 'Link kopieren',
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
        text: 'Die Rolle gilt ab dem nächsten Klick.',
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
        text: 'Sie verlieren sofort den Zugang. Was sie geschrieben haben, bleibt unter ihren Namen stehen. Einladungen gelten nicht mehr.',
        back: 'Sie können jedes Mitglied jederzeit zurückholen.',
        done: (count) =>
          plural.de(count, {
            one: '1 Mitglied wurde archiviert.',
            other: `${count} Mitglieder wurden archiviert.`,
          }),
      },
    },
    roleHints: {
      member: 'Nimmt an Themen teil. Sieht diese Verwaltung nicht.',
      admin: 'Verwaltet auch Mitglieder, Bots und Einstellungen.',
      owner: 'Entscheidet auch, wer sonst noch Eigentümer ist.',
    },
    inviting: {
      title: 'Jemanden einladen',
      email: 'E-Mail-Adresse',
      emailHint: 'Dorthin geht eine Mail mit einem Link zum Beitreten.',
      emailMissing: 'Bitte geben Sie eine E-Mail-Adresse ein.',
      name: 'Name (freiwillig)',
      nameHint: 'Beim Beitreten kann er geändert werden.',
      role: 'Rolle',
      action: 'Einladung schicken',
      sent: (email) => `Die Einladung an ${email} ist unterwegs.`,
      emailHintNoMail: 'Damit meldet sich die Person an.',
      actionNoMail: 'Einladen',
      noMail: 'Dieser Server verschickt keine Mails. Sie bekommen einen Link, den Sie selbst weitergeben.',
    },
    link: {
      action: 'Einladungslink kopieren',
      title: (name) => `Einladungslink für ${name}`,
      text: (email) =>
        `Geben Sie diesen Link selbst an ${email} weiter. Er gilt einmal, sieben Tage lang, und wird nicht noch einmal gezeigt.`,
      label: 'Link',
      warning:
        'Wer ihn öffnet, tritt als diese Person bei. Frühere Links gelten nicht mehr, auch ein gemailter nicht.',
    },
    again: {
      action: 'Erneut schicken',
      sent: (email) => `Eine neue Einladung an ${email} ist unterwegs. Frühere Links gelten nicht mehr.`,
    },
    reinvite: {
      action: 'Neu einladen',
    },
    role: {
      action: 'Rolle ändern',
      title: (name) => `Rolle von ${name}`,
      changed: (name, role) => `${name} ist jetzt: ${role}.`,
    },
    access: {
      action: 'Zugang',
      title: (name) => `Zugang von ${name}`,
      sessions: {
        title: 'Wo die Person angemeldet ist',
        count: (count) =>
          plural.de(count, { one: 'Zurzeit in 1 Browser.', other: `Zurzeit in ${count} Browsern.` }),
        nowhere: 'Zurzeit nirgends.',
        text: 'Meldet die Person sofort in allen Browsern ab. Sie kann sich neu anmelden. Wer zu anderen Organisationen gehört, bleibt dort angemeldet.',
        action: 'Überall abmelden',
        done: (name) => `${name} wurde abgemeldet.`,
      },
      secondFactor: {
        title: 'Zweiter Faktor',
        none: 'Die Person hat keinen eingerichtet.',
        passkey:
          'Die Person meldet sich mit einem Passkey an, der für beide Faktoren steht. Es gibt keinen Code zurückzusetzen.',
        code: 'Für jemanden, der Telefon und Wiederherstellungscodes verloren hat. Die Codes gelten nicht mehr, die Person wird abgemeldet, und ihr Passwort allein genügt, bis sie einen neuen einrichtet. Passkeys bleiben. Sie erfährt es per Mail.',
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
        kept: 'Was sie geschrieben hat, bleibt unter ihrem Namen stehen.',
        back: 'Sie können sie jederzeit zurückholen.',
      },
      done: (name) => `${name} wurde archiviert.`,
    },
    restore: {
      action: 'Zurückholen',
      done: (name) => `${name} ist wieder da.`,
      invited: (name) => `${name} ist wieder da, und eingeladen wie zuvor.`,
    },
    delete: {
      action: 'Löschen',
      title: (name) => `${name} löschen?`,
      text: 'Die Person verliert sofort den Zugang und verlässt die Organisation.',
      costs: {
        sessions: 'Sie wird in allen Browsern abgemeldet.',
        kept: 'Was sie geschrieben hat, bleibt in den Themen stehen.',
        back: 'Um sie wiederzuhaben, müssten Sie sie neu einladen.',
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
