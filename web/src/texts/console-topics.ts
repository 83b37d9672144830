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
  fr: {
    title: 'Sujets',
    about: 'Membres et visibilité des sujets. Les messages ne sont visibles que des membres du sujet.',
    search: 'Rechercher par nom',
    state: 'État',
    anyState: 'Tous',
    states: {
      open: 'Ouvert',
      closed: 'Fermé',
      archived: 'Archivé',
    },
    columns: {
      name: 'Nom',
      state: 'État',
      people: 'Personnes',
      bots: 'Bots',
      created: 'Créé',
    },
    count: (count) => plural.fr(count, { one: `${count} sujet`, other: `${count} sujets` }),
    none: {
      title: 'Aucun sujet pour l’instant',
      text: 'Les sujets se créent dans le chat.',
    },
    manage: 'Gérer les membres',
    export: 'Exporter en JSON',
    opened: (name) => `${name} est maintenant ouvert à tout le monde.`,
    closed: (name) => `${name} est maintenant fermé.`,
    restore: 'Restaurer',
    restored: (name) => `${name} : restauration effectuée.`,
    open: {
      action: 'Ouvrir à tout le monde',
      title: (name) => `Ouvrir ${name} à tout le monde ?`,
      text: 'Toute l’organisation peut le trouver, le lire et le rejoindre.',
      costs: {
        past: 'Cela comprend tous les messages antérieurs.',
        told: 'Ses membres verront que vous l’avez ouvert.',
        back: 'Vous pouvez le refermer, mais d’ici là il aura pu être lu.',
      },
    },
    close: {
      action: 'Fermer',
      title: (name) => `Fermer ${name} ?`,
      text: 'Seuls ses membres peuvent le trouver et le lire.',
      costs: {
        members: 'Les membres actuels restent.',
        newcomers: 'Les nouvelles personnes ne le rejoignent plus automatiquement.',
        back: 'Seuls ses membres peuvent le rouvrir.',
      },
    },
    archive: {
      action: 'Archiver',
      title: (name) => `Archiver ${name} ?`,
      text: 'Plus personne ne peut y écrire, bots compris.',
      costs: {
        kept: 'Ses messages restent, et ses membres peuvent les lire.',
        back: 'Vous pouvez le restaurer à tout moment.',
      },
      done: (name) => `${name} : archivage effectué.`,
    },
    content: {
      open: 'Lire les messages',
      title: 'Messages',
      about:
        'Pour les propriétaires, et les administrateurs autorisés par un propriétaire, s’ils donnent un motif.',
      warning:
        'Tous les propriétaires reçoivent un e-mail avec votre nom et votre motif. Chaque page lue est inscrite dans le journal d’audit.',
      show: 'Afficher les messages',
      earlier: 'Afficher les messages antérieurs',
      export: 'Exporter les messages',
      none: 'Aucun message pour l’instant.',
    },
    one: {
      back: 'Sujets',
      botsStopped:
        'Des bots se répondaient sans fin ici et ont été arrêtés. Ils reprendront dès qu’une personne écrira.',
      botsStoppedSince: 'Depuis',
      releaseBots: 'Relancer les bots',
      botsReleased: 'Les bots peuvent de nouveau écrire ici.',
      about: (people, bots) =>
        `${plural.fr(people, { one: `${people} personne`, other: `${people} personnes` })}, ${plural.fr(bots, { one: `${bots} bot`, other: `${bots} bots` })}`,
      members: 'Membres',
      search: 'Rechercher par nom ou adresse',
      joined: 'Depuis',
      count: (count) => plural.fr(count, { one: `${count} membre`, other: `${count} membres` }),
      none: {
        title: 'Aucun membre dans ce sujet',
        text: 'Ajoutez les personnes et les bots qui y ont leur place.',
      },
      fromInside:
        'Vous n’êtes pas dans ce sujet fermé. Seuls ses membres peuvent l’ouvrir, y ajouter d’autres personnes ou permettre aux bots d’en entendre plus.',
      add: 'Ajouter des membres',
      adding: {
        title: (name) => `Ajouter des membres à ${name}`,
        label: 'Personnes et bots',
        placeholder: 'Saisissez un nom ou une adresse',
        hint: 'Ils peuvent lire tous les messages antérieurs.',
        missing: 'Choisissez au moins un membre.',
        action: 'Ajouter',
        done: (count) =>
          plural.fr(count, { one: `${count} membre ajouté.`, other: `${count} membres ajoutés.` }),
      },
      remove: {
        action: 'Supprimer',
        title: (count, name) =>
          plural.fr(count, { one: `Retirer ${name} ?`, other: `Retirer ${count} membres ?` }),
        text: 'Ils ne peuvent plus ni lire ni écrire ici, et les bots ne reçoivent plus d’événements.',
        costs: {
          kept: 'Leurs messages restent.',
          back: 'Vous pouvez les ajouter de nouveau à tout moment.',
        },
        done: (count) =>
          plural.fr(count, { one: `${count} membre retiré.`, other: `${count} membres retirés.` }),
      },
    },
  },
  es: {
    title: 'Temas',
    about: 'Miembros y visibilidad de los temas. Los mensajes solo los ven los miembros de cada tema.',
    search: 'Buscar por nombre',
    state: 'Estado',
    anyState: 'Cualquiera',
    states: {
      open: 'Abierto',
      closed: 'Cerrado',
      archived: 'Archivado',
    },
    columns: {
      name: 'Nombre',
      state: 'Estado',
      people: 'Personas',
      bots: 'Bots',
      created: 'Creado',
    },
    count: (count) => plural.es(count, { one: '1 tema', other: `${count} temas` }),
    none: {
      title: 'Aún no hay temas',
      text: 'Los temas se crean en el chat.',
    },
    manage: 'Gestionar miembros',
    export: 'Exportar como JSON',
    opened: (name) => `${name} está ahora abierto a todos.`,
    closed: (name) => `${name} está ahora cerrado.`,
    restore: 'Restaurar',
    restored: (name) => `${name}: restauración hecha.`,
    open: {
      action: 'Abrir a todos',
      title: (name) => `¿Abrir ${name} a todos?`,
      text: 'Toda la organización puede encontrarlo, leerlo y unirse.',
      costs: {
        past: 'Esto incluye todos los mensajes anteriores.',
        told: 'Sus miembros verán que lo abriste.',
        back: 'Puedes volver a cerrarlo, pero hasta entonces lo habrán podido leer.',
      },
    },
    close: {
      action: 'Cerrar',
      title: (name) => `¿Cerrar ${name}?`,
      text: 'Solo sus miembros pueden encontrarlo y leerlo.',
      costs: {
        members: 'Los miembros actuales se quedan.',
        newcomers: 'Las personas nuevas ya no se unen automáticamente.',
        back: 'Solo sus miembros pueden abrirlo de nuevo.',
      },
    },
    archive: {
      action: 'Archivar',
      title: (name) => `¿Archivar ${name}?`,
      text: 'Nadie puede escribir más en él, tampoco los bots.',
      costs: {
        kept: 'Sus mensajes se quedan y sus miembros pueden leerlos.',
        back: 'Puedes restaurarlo en cualquier momento.',
      },
      done: (name) => `${name}: archivado.`,
    },
    content: {
      open: 'Leer mensajes',
      title: 'Mensajes',
      about: 'Para propietarios, y para administradores con permiso de un propietario, si indican un motivo.',
      warning:
        'Todos los propietarios reciben un correo con tu nombre y tu motivo. Cada página que lees queda en el registro de auditoría.',
      show: 'Mostrar mensajes',
      earlier: 'Mostrar mensajes anteriores',
      export: 'Exportar mensajes',
      none: 'Aún no hay mensajes.',
    },
    one: {
      back: 'Temas',
      botsStopped:
        'Los bots se respondían sin parar aquí y se detuvieron. Continúan cuando escriba una persona.',
      botsStoppedSince: 'Desde',
      releaseBots: 'Reanudar bots',
      botsReleased: 'Los bots pueden volver a escribir aquí.',
      about: (people, bots) =>
        `${plural.es(people, { one: '1 persona', other: `${people} personas` })}, ${plural.es(bots, { one: '1 bot', other: `${bots} bots` })}`,
      members: 'Miembros',
      search: 'Buscar por nombre o dirección',
      joined: 'Desde',
      count: (count) => plural.es(count, { one: '1 miembro', other: `${count} miembros` }),
      none: {
        title: 'No hay miembros en este tema',
        text: 'Añade a las personas y los bots que deben estar aquí.',
      },
      fromInside:
        'No estás en este tema cerrado. Solo sus miembros pueden abrirlo, añadir a otros o dejar que los bots escuchen más.',
      add: 'Añadir miembros',
      adding: {
        title: (name) => `Añadir miembros a ${name}`,
        label: 'Personas y bots',
        placeholder: 'Introduce un nombre o una dirección',
        hint: 'Pueden leer todos los mensajes anteriores.',
        missing: 'Elige al menos un miembro.',
        action: 'Añadir',
        done: (count) =>
          plural.es(count, { one: '1 miembro añadido.', other: `${count} miembros añadidos.` }),
      },
      remove: {
        action: 'Quitar',
        title: (count, name) =>
          plural.es(count, { one: `¿Quitar a ${name}?`, other: `¿Quitar a ${count} miembros?` }),
        text: 'Ya no pueden leer ni escribir aquí, y los bots no reciben más eventos.',
        costs: {
          kept: 'Sus mensajes se quedan.',
          back: 'Puedes añadirlos de nuevo en cualquier momento.',
        },
        done: (count) =>
          plural.es(count, { one: '1 miembro quitado.', other: `${count} miembros quitados.` }),
      },
    },
  },
})
