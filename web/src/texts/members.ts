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
  fr: {
    title: 'Membres',
    about: 'Les personnes de votre organisation. Les bots ont leur propre page.',
    invite: 'Inviter',
    links: 'Liens d’adhésion',
    search: 'Rechercher par nom ou adresse',
    status: 'État',
    anyStatus: 'Tous sauf supprimés',
    anyRole: 'Tous',
    columns: {
      person: 'Nom',
      role: 'Rôle',
      status: 'État',
      lastSeen: 'Dernière activité',
    },
    neverSeen: 'Jamais',
    count: (count) => plural.fr(count, { one: `${count} membre`, other: `${count} membres` }),
    you: 'Vous',
    expires: 'Expire',
    expired: 'Invitation expirée',
    none: {
      title: 'Aucun membre',
      text: 'Invitez les personnes avec qui vous travaillez.',
    },
    many: {
      open: 'Inviter en nombre',
      title: 'Inviter plusieurs personnes',
      list: 'Adresses',
      hint: 'Une personne par ligne : une adresse et, si vous voulez, un nom. Vous pouvez coller une liste depuis un tableur.',
      file: 'Ou choisissez un fichier CSV',
      count: (count) => plural.fr(count, { one: `${count} ligne`, other: `${count} lignes` }),
      missing: 'Saisissez au moins une adresse.',
      tooMany: (most) => `Vous pouvez inviter jusqu’à ${most} personnes à la fois. Divisez la liste.`,
      action: (count) => (count === 0 ? 'Inviter' : `Inviter ${count}`),
      noMail:
        'Ce serveur n’envoie pas d’e-mails. Vous recevez pour chaque personne un lien à transmettre vous-même.',
      report: (invited, all) => `${invited} invitations sur ${all}`,
      linksOnce:
        'Copiez les liens maintenant. Ils ne seront plus affichés. Chacun ne fonctionne qu’une fois et expire au bout de 7 jours.',
      invited: 'Invitation envoyée',
      copyLink: 'Copier le lien',
    },
    notInvited: 'Pas encore d’invitation',
    waits: 'Invitation en attente',
    missing: {
      count: (count) =>
        plural.fr(count, {
          one: `${count} personne n’a pas encore été invitée.`,
          other: `${count} personnes n’ont pas encore été invitées.`,
        }),
      expired: (count) =>
        plural.fr(count, { one: `${count} invitation a expiré.`, other: `${count} invitations ont expiré.` }),
      action: 'Inviter tout le monde',
      again: 'Envoyer de nouveaux liens',
      title: (count) =>
        plural.fr(count, { one: `Inviter ${count} personne ?`, other: `Inviter ${count} personnes ?` }),
      text: (perHour) =>
        `Chaque personne reçoit un e-mail avec un lien d’adhésion. Jusqu’à ${perHour} partent par heure ; les autres suivent automatiquement.`,
      withExpired: (count) =>
        plural.fr(count, {
          one: 'Envoyer aussi un nouveau lien à la personne dont l’invitation a expiré',
          other: `Envoyer aussi un nouveau lien aux ${count} personnes dont l’invitation a expiré`,
        }),
      send: 'Envoyer les invitations',
      done: 'Les invitations sont en cours d’envoi.',
      waiting: (count) =>
        plural.fr(count, {
          one: `${count} invitation est en attente d’envoi.`,
          other: `${count} invitations sont en attente d’envoi.`,
        }),
      next: 'Prochaine :',
      stop: 'Arrêter',
      stopped: 'Les invitations en attente ne seront pas envoyées.',
    },
    bulk: {
      partly: (done, all) => `Fait pour ${done} sur ${all}`,
      role: {
        action: 'Changer le rôle',
        title: (count) =>
          plural.fr(count, {
            one: `Changer le rôle de ${count} membre`,
            other: `Changer le rôle de ${count} membres`,
          }),
        text: 'Le rôle s’applique dès leur prochain clic.',
        done: (count) =>
          plural.fr(count, {
            one: `${count} membre a un nouveau rôle.`,
            other: `${count} membres ont un nouveau rôle.`,
          }),
      },
      sessions: {
        action: 'Se déconnecter',
        title: (count) =>
          plural.fr(count, { one: `Déconnecter ${count} membre ?`, other: `Déconnecter ${count} membres ?` }),
        text: 'La déconnexion est immédiate dans tous les navigateurs. Ces personnes peuvent se reconnecter.',
        done: (count) =>
          plural.fr(count, {
            one: `${count} membre a été déconnecté.`,
            other: `${count} membres ont été déconnectés.`,
          }),
      },
      archive: {
        action: 'Archiver',
        title: (count) =>
          plural.fr(count, { one: `Archiver ${count} membre ?`, other: `Archiver ${count} membres ?` }),
        text: 'Ces personnes perdent l’accès immédiatement. Leurs messages restent, sous leur nom. Les invitations cessent de fonctionner.',
        back: 'Vous pouvez les restaurer à tout moment.',
        done: (count) =>
          plural.fr(count, {
            one: `${count} membre a été archivé.`,
            other: `${count} membres ont été archivés.`,
          }),
      },
    },
    roleHints: {
      guest: 'Ne voit que les sujets dont il fait partie et les autres participants.',
      member: 'Participe aux sujets. Ne peut pas ouvrir cette console.',
      admin: 'Gère aussi les membres, les bots et les paramètres.',
      owner: 'Décide aussi qui d’autre est propriétaire.',
    },
    inviting: {
      title: 'Inviter une personne',
      email: 'Adresse e-mail',
      emailHint: 'Elle reçoit un e-mail avec un lien d’adhésion.',
      emailMissing: 'Saisissez une adresse e-mail.',
      name: 'Nom (facultatif)',
      nameHint: 'Elle pourra le changer en rejoignant.',
      role: 'Rôle',
      action: 'Envoyer l’invitation',
      sent: (email) => `Invitation envoyée à ${email}.`,
      emailHintNoMail: 'Elle se connecte avec cette adresse.',
      actionNoMail: 'Inviter',
      noMail: 'Ce serveur n’envoie pas d’e-mails. Vous recevez un lien à transmettre vous-même.',
    },
    link: {
      action: 'Copier le lien d’invitation',
      title: (name) => `Lien d’invitation pour ${name}`,
      text: (email) =>
        `Transmettez vous-même ce lien à ${email}. Il ne fonctionne qu’une fois, expire au bout de 7 jours et ne sera plus affiché.`,
      label: 'Lien',
      warning:
        'Quiconque l’ouvre rejoint sous l’identité de cette personne. Les liens précédents ne fonctionnent plus, y compris ceux envoyés par e-mail.',
    },
    again: {
      action: 'Renvoyer',
      sent: (email) => `Nouvelle invitation envoyée à ${email}. Les liens précédents ne fonctionnent plus.`,
    },
    reinvite: {
      action: 'Inviter de nouveau',
    },
    role: {
      action: 'Changer le rôle',
      title: (name) => `Rôle de ${name}`,
      changed: (name, role) => `Rôle de ${name} changé en ${role}.`,
    },
    guestEnd: {
      action: 'Fin de l’accès',
      title: (name) => `Fin de l’accès de ${name}`,
      label: 'Dernier jour (facultatif)',
      hint: 'À la fin de ce jour, cette personne est déconnectée et archivée.',
      past: 'Choisissez un jour qui n’est pas passé.',
      saved: (name) => `Fin de l’accès de ${name} enregistrée.`,
      until: 'Fin de l’accès',
      topics: 'Ajoutez-la ensuite à des sujets : dans le chat, ou sur la page d’un sujet.',
    },
    access: {
      action: 'Accès',
      title: (name) => `Accès de ${name}`,
      sessions: {
        title: 'Sessions',
        count: (count) =>
          plural.fr(count, {
            one: `Connecté dans ${count} navigateur.`,
            other: `Connecté dans ${count} navigateurs.`,
          }),
        nowhere: 'Non connecté.',
        text: 'Déconnecte immédiatement cette personne de tous les navigateurs. Elle peut se reconnecter. Elle reste connectée à ses autres organisations.',
        action: 'Déconnecter partout',
        done: (name) => `${name} : déconnexion effectuée.`,
      },
      secondFactor: {
        title: 'Second facteur',
        none: 'Non configuré.',
        passkey:
          'Cette personne se connecte avec une clé d’accès, qui compte pour deux facteurs. Il n’y a pas de code à réinitialiser.',
        code: 'Pour les personnes qui ont perdu leur téléphone et leurs codes de récupération. Leurs codes cessent de fonctionner, elles sont déconnectées, et leur mot de passe seul suffit jusqu’à ce qu’elles configurent un nouveau second facteur. Les clés d’accès restent. Elles en sont informées par e-mail.',
        action: 'Réinitialiser le second facteur',
        done: (name) => `Second facteur de ${name} réinitialisé.`,
      },
    },
    archive: {
      action: 'Archiver',
      title: (name) => `Archiver ${name} ?`,
      text: 'Cette personne perd l’accès immédiatement.',
      costs: {
        sessions: 'Elle est déconnectée de tous les navigateurs.',
        kept: 'Ses messages restent, sous son nom.',
        back: 'Vous pouvez les restaurer à tout moment.',
      },
      done: (name) => `${name} : archivage effectué.`,
    },
    restore: {
      action: 'Restaurer',
      done: (name) => `${name} : restauration effectuée.`,
      invited: (name) => `${name} : restauration effectuée et nouvelle invitation envoyée.`,
    },
    delete: {
      action: 'Supprimer',
      title: (name) => `Supprimer ${name} ?`,
      text: 'Cette personne perd l’accès immédiatement et quitte l’organisation.',
      costs: {
        sessions: 'Elle est déconnectée de tous les navigateurs.',
        kept: 'Ses messages restent dans leurs sujets.',
        back: 'Pour revenir en arrière, il faudra l’inviter de nouveau.',
      },
      done: (name) => `${name} : suppression effectuée.`,
    },
    withdraw: {
      action: 'Retirer',
      title: (name) => `Retirer l’invitation de ${name} ?`,
      text: 'Le lien cesse de fonctionner.',
      costs: {
        back: 'Vous pourrez inviter cette personne de nouveau plus tard.',
      },
      done: (name) => `Invitation de ${name} retirée.`,
    },
  },
  es: {
    title: 'Miembros',
    about: 'Las personas de tu organización. Los bots tienen su propia página.',
    invite: 'Invitar',
    links: 'Enlaces de acceso',
    search: 'Buscar por nombre o dirección',
    status: 'Estado',
    anyStatus: 'Todos menos los eliminados',
    anyRole: 'Cualquiera',
    columns: {
      person: 'Nombre',
      role: 'Rol',
      status: 'Estado',
      lastSeen: 'Última actividad',
    },
    neverSeen: 'Nunca',
    count: (count) => plural.es(count, { one: '1 miembro', other: `${count} miembros` }),
    you: 'Tú',
    expires: 'Caduca',
    expired: 'Invitación caducada',
    none: {
      title: 'Sin miembros',
      text: 'Invita a las personas con las que trabajas.',
    },
    many: {
      open: 'Invitar a varios',
      title: 'Invitar a varias personas',
      list: 'Direcciones',
      hint: 'Una persona por línea: una dirección y, si quieres, un nombre. Puedes pegar una lista de una hoja de cálculo.',
      file: 'O elige un archivo CSV',
      count: (count) => plural.es(count, { one: '1 línea', other: `${count} líneas` }),
      missing: 'Introduce al menos una dirección.',
      tooMany: (most) => `Puedes invitar hasta a ${most} personas a la vez. Divide la lista.`,
      action: (count) => (count === 0 ? 'Invitar' : `Invitar a ${count}`),
      noMail: 'Este servidor no envía correos. Recibes un enlace por persona para compartirlo tú.',
      report: (invited, all) => `${invited} de ${all} invitaciones`,
      linksOnce:
        'Copia los enlaces ahora. No se vuelven a mostrar. Cada uno funciona una vez y caduca a los 7 días.',
      invited: 'Invitación enviada',
      copyLink: 'Copiar enlace',
    },
    notInvited: 'Aún sin invitación',
    waits: 'Invitación en espera',
    missing: {
      count: (count) =>
        plural.es(count, {
          one: 'Aún no se ha invitado a 1 persona.',
          other: `Aún no se ha invitado a ${count} personas.`,
        }),
      expired: (count) =>
        plural.es(count, { one: '1 invitación ha caducado.', other: `${count} invitaciones han caducado.` }),
      action: 'Invitar a todos',
      again: 'Enviar enlaces nuevos',
      title: (count) =>
        plural.es(count, { one: '¿Invitar a 1 persona?', other: `¿Invitar a ${count} personas?` }),
      text: (perHour) =>
        `Cada persona recibe un correo con un enlace para unirse. Salen hasta ${perHour} por hora; el resto sigue automáticamente.`,
      withExpired: (count) =>
        plural.es(count, {
          one: 'Enviar también un enlace nuevo a la persona cuya invitación ha caducado',
          other: `Enviar también un enlace nuevo a las ${count} personas cuya invitación ha caducado`,
        }),
      send: 'Enviar invitaciones',
      done: 'Las invitaciones se están enviando.',
      waiting: (count) =>
        plural.es(count, {
          one: '1 invitación está pendiente de envío.',
          other: `${count} invitaciones están pendientes de envío.`,
        }),
      next: 'Próxima:',
      stop: 'Detener',
      stopped: 'Las invitaciones en espera no se enviarán.',
    },
    bulk: {
      partly: (done, all) => `Hecho para ${done} de ${all}`,
      role: {
        action: 'Cambiar rol',
        title: (count) =>
          plural.es(count, {
            one: 'Cambiar el rol de 1 miembro',
            other: `Cambiar el rol de ${count} miembros`,
          }),
        text: 'El rol se aplica desde su próximo clic.',
        done: (count) =>
          plural.es(count, {
            one: '1 miembro tiene un rol nuevo.',
            other: `${count} miembros tienen un rol nuevo.`,
          }),
      },
      sessions: {
        action: 'Cerrar sesión',
        title: (count) =>
          plural.es(count, {
            one: '¿Cerrar la sesión de 1 miembro?',
            other: `¿Cerrar la sesión de ${count} miembros?`,
          }),
        text: 'Se cierra su sesión en todos los navegadores de inmediato y pueden iniciarla de nuevo.',
        done: (count) =>
          plural.es(count, {
            one: 'Se cerró la sesión de 1 miembro.',
            other: `Se cerró la sesión de ${count} miembros.`,
          }),
      },
      archive: {
        action: 'Archivar',
        title: (count) =>
          plural.es(count, { one: '¿Archivar a 1 miembro?', other: `¿Archivar a ${count} miembros?` }),
        text: 'Pierden el acceso de inmediato. Sus mensajes se quedan, con sus nombres. Las invitaciones dejan de funcionar.',
        back: 'Puedes restaurarlos en cualquier momento.',
        done: (count) =>
          plural.es(count, { one: 'Se archivó a 1 miembro.', other: `Se archivó a ${count} miembros.` }),
      },
    },
    roleHints: {
      guest: 'Ve solo los temas en los que está y quién más está ahí.',
      member: 'Participa en los temas. No puede abrir esta consola.',
      admin: 'También gestiona miembros, bots y ajustes.',
      owner: 'También decide quién más es propietario.',
    },
    inviting: {
      title: 'Invitar a una persona',
      email: 'Correo electrónico',
      emailHint: 'Recibe un correo con un enlace para unirse.',
      emailMissing: 'Introduce un correo electrónico.',
      name: 'Nombre (opcional)',
      nameHint: 'Puede cambiarlo al unirse.',
      role: 'Rol',
      action: 'Enviar invitación',
      sent: (email) => `Invitación enviada a ${email}.`,
      emailHintNoMail: 'Inicia sesión con él.',
      actionNoMail: 'Invitar',
      noMail: 'Este servidor no envía correos. Recibes un enlace para compartirlo tú.',
    },
    link: {
      action: 'Copiar enlace de invitación',
      title: (name) => `Enlace de invitación para ${name}`,
      text: (email) =>
        `Comparte tú este enlace con ${email}. Funciona una vez, caduca a los 7 días y no se vuelve a mostrar.`,
      label: 'Enlace',
      warning:
        'Quien lo abra se une como esta persona. Los enlaces anteriores ya no funcionan, tampoco los enviados por correo.',
    },
    again: {
      action: 'Enviar de nuevo',
      sent: (email) => `Nueva invitación enviada a ${email}. Los enlaces anteriores ya no funcionan.`,
    },
    reinvite: {
      action: 'Invitar de nuevo',
    },
    role: {
      action: 'Cambiar rol',
      title: (name) => `Rol de ${name}`,
      changed: (name, role) => `El rol de ${name} es ahora ${role}.`,
    },
    guestEnd: {
      action: 'Fin del acceso',
      title: (name) => `Fin del acceso de ${name}`,
      label: 'Último día (opcional)',
      hint: 'Cuando acabe ese día, se cierra su sesión y se archiva.',
      past: 'Elige un día que no haya pasado.',
      saved: (name) => `Fin del acceso de ${name} guardado.`,
      until: 'Fin del acceso',
      topics: 'Añádele después a temas: en el chat o en la página de un tema.',
    },
    access: {
      action: 'Acceso',
      title: (name) => `Acceso de ${name}`,
      sessions: {
        title: 'Sesiones',
        count: (count) =>
          plural.es(count, {
            one: 'Sesión iniciada en 1 navegador.',
            other: `Sesión iniciada en ${count} navegadores.`,
          }),
        nowhere: 'Sin sesión iniciada.',
        text: 'Cierra su sesión en todos los navegadores de inmediato. Puede iniciarla de nuevo. Su sesión en otras organizaciones sigue abierta.',
        action: 'Cerrar sesión en todas partes',
        done: (name) => `Sesión de ${name} cerrada.`,
      },
      secondFactor: {
        title: 'Segundo factor',
        none: 'Sin configurar.',
        passkey:
          'Inicia sesión con una llave de acceso, que cuenta como dos factores. No hay ningún código que restablecer.',
        code: 'Para quienes perdieron su teléfono y sus códigos de recuperación. Sus códigos dejan de funcionar, se cierra su sesión y les basta su contraseña hasta que configuren un segundo factor nuevo. Las llaves de acceso se quedan. Reciben un correo al respecto.',
        action: 'Restablecer segundo factor',
        done: (name) => `Segundo factor de ${name} restablecido.`,
      },
    },
    archive: {
      action: 'Archivar',
      title: (name) => `¿Archivar a ${name}?`,
      text: 'Pierde el acceso de inmediato.',
      costs: {
        sessions: 'Se cierra su sesión en todos los navegadores.',
        kept: 'Sus mensajes se quedan, con su nombre.',
        back: 'Puedes restaurarlos en cualquier momento.',
      },
      done: (name) => `${name}: archivado.`,
    },
    restore: {
      action: 'Restaurar',
      done: (name) => `${name}: restauración hecha.`,
      invited: (name) => `${name}: restauración hecha e invitación enviada de nuevo.`,
    },
    delete: {
      action: 'Eliminar',
      title: (name) => `¿Eliminar a ${name}?`,
      text: 'Pierde el acceso de inmediato y sale de la organización.',
      costs: {
        sessions: 'Se cierra su sesión en todos los navegadores.',
        kept: 'Sus mensajes se quedan en sus temas.',
        back: 'Para deshacerlo, tendrás que invitarle de nuevo.',
      },
      done: (name) => `${name}: eliminado.`,
    },
    withdraw: {
      action: 'Retirar',
      title: (name) => `¿Retirar la invitación de ${name}?`,
      text: 'El enlace deja de funcionar.',
      costs: {
        back: 'Puedes invitarle de nuevo más adelante.',
      },
      done: (name) => `Invitación de ${name} retirada.`,
    },
  },
})
