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
  fr: {
    title: 'Vue d’ensemble',
    about: (organization) => `${organization} en un coup d’œil. Mise à jour automatique.`,
    next: {
      title: 'Prochaines étapes',
      failing: 'le webhook est en échec',
      paused: 'le webhook est en pause',
      since: 'Depuis',
      lookAtIt: 'Afficher les livraisons',
      botsStopped: 'des bots se répondaient sans fin et ont été arrêtés',
      toTopic: 'Ouvrir le sujet',
      openSignup: {
        title: 'N’importe qui peut créer des organisations sur ce serveur',
        text: (count) =>
          plural.fr(count, {
            one: `${count} a été créée ces dernières 24 heures.`,
            other: `${count} ont été créées ces dernières 24 heures.`,
          }),
        action: 'Ouvrir les paramètres',
      },
      noBackup: {
        title: 'Aucune sauvegarde pour l’instant',
        text: 'Exécutez « parley backup » sur le serveur, ou définissez BACKUP_FOLDER pour une sauvegarde quotidienne.',
      },
      oldBackup: {
        title: 'La dernière sauvegarde a plus d’une semaine',
        text: 'Exécutez « parley backup » sur le serveur, ou définissez BACKUP_FOLDER pour une sauvegarde quotidienne.',
      },
      steps: {
        moreUnwell: {
          title: 'D’autres webhooks demandent votre attention',
          text: 'La liste des bots montre tous les webhooks en échec ou en pause.',
          action: 'Afficher les bots',
        },
        storage: {
          title: 'Le stockage est presque plein',
          text: 'Les nouveaux fichiers seront bientôt refusés. Demandez plus d’espace à la personne qui gère ce serveur.',
          action: 'Ouvrir les paramètres',
        },
        mail: {
          title: 'Ce serveur n’envoie pas d’e-mails',
          text: 'Les invitations et les liens de mot de passe ne sont pas envoyés. La personne qui gère ce serveur peut définir SMTP_URL ; d’ici là, copiez vous-même les liens d’invitation.',
          action: 'Afficher les membres',
        },
        invite: {
          title: 'Invitez votre équipe',
          text: 'Vous êtes le seul membre pour l’instant.',
          action: 'Inviter des personnes',
        },
        bot: {
          title: 'Aucun bot pour l’instant',
          text: 'Les bots prennent en charge du travail dans vos sujets : ils lisent, répondent et rappellent.',
          action: 'Créer le bot',
        },
        quiet: {
          title: 'C’est calme ici',
          text: 'Aucun message ces 14 derniers jours. Vos bots sont prêts : laissez l’un d’eux envoyer un message.',
          action: 'Afficher les bots',
        },
      },
    },
    figures: 'Chiffres',
    counts: {
      members: (count, shown) => plural.fr(count, { one: `${shown} membre`, other: `${shown} membres` }),
      invited: (count) => `${count} en attente`,
      bots: (count, shown) => plural.fr(count, { one: `${shown} bot`, other: `${shown} bots` }),
      off: (count) => `${count} désactivés`,
      topics: (count, shown) => plural.fr(count, { one: `${shown} sujet`, other: `${shown} sujets` }),
      files: (used) => `${used} de fichiers`,
      filesOf: (used, quota) => `${used} sur ${quota} occupés par des fichiers`,
    },
    messages: {
      title: 'Messages, 14 derniers jours',
      part: 'messages',
      utc: 'Les jours commencent à minuit UTC.',
      none: 'Aucun message ces 14 derniers jours.',
    },
    deliveries: {
      title: 'Livraisons des webhooks, dernières 24 heures',
      label: 'Tentatives par heure',
      delivered: 'livrées',
      failed: 'échec',
      pending: 'en attente',
      capped: (count) => `${count} ou plus`,
      none: 'Aucune livraison de webhook ces dernières 24 heures.',
    },
  },
  es: {
    title: 'Resumen',
    about: (organization) => `${organization} de un vistazo. Se actualiza automáticamente.`,
    next: {
      title: 'Próximos pasos',
      failing: 'el webhook falla',
      paused: 'el webhook está en pausa',
      since: 'Desde',
      lookAtIt: 'Mostrar entregas',
      botsStopped: 'los bots se respondían sin parar y se detuvieron',
      toTopic: 'Abrir tema',
      openSignup: {
        title: 'Cualquiera puede crear organizaciones en este servidor',
        text: (count) =>
          plural.es(count, {
            one: 'Se creó una en las últimas 24 horas.',
            other: `Se crearon ${count} en las últimas 24 horas.`,
          }),
        action: 'Abrir ajustes',
      },
      noBackup: {
        title: 'Aún no hay copia de seguridad',
        text: 'Ejecuta «parley backup» en el servidor o define BACKUP_FOLDER para una copia diaria.',
      },
      oldBackup: {
        title: 'La última copia de seguridad tiene más de una semana',
        text: 'Ejecuta «parley backup» en el servidor o define BACKUP_FOLDER para una copia diaria.',
      },
      steps: {
        moreUnwell: {
          title: 'Hay más webhooks que requieren atención',
          text: 'La lista de bots muestra todos los webhooks que fallan o están en pausa.',
          action: 'Mostrar bots',
        },
        storage: {
          title: 'El almacenamiento está casi lleno',
          text: 'Pronto se rechazarán archivos nuevos. Pide más espacio a quien administra este servidor.',
          action: 'Abrir ajustes',
        },
        mail: {
          title: 'Este servidor no envía correos',
          text: 'Las invitaciones y los enlaces de contraseña no se entregan. Quien administra este servidor puede definir SMTP_URL; hasta entonces, copia tú los enlaces de invitación.',
          action: 'Mostrar miembros',
        },
        invite: {
          title: 'Invita a tu equipo',
          text: 'Por ahora solo estás tú.',
          action: 'Invitar personas',
        },
        bot: {
          title: 'Aún no hay bots',
          text: 'Los bots se encargan de trabajo en tus temas: leen, responden y recuerdan.',
          action: 'Crear bot',
        },
        quiet: {
          title: 'Hay mucha calma aquí',
          text: 'Ningún mensaje en los últimos 14 días. Tus bots están listos: deja que uno envíe un mensaje.',
          action: 'Mostrar bots',
        },
      },
    },
    figures: 'Cifras',
    counts: {
      members: (count, shown) => plural.es(count, { one: '1 miembro', other: `${shown} miembros` }),
      invited: (count) => `${count} por unirse`,
      bots: (count, shown) => plural.es(count, { one: '1 bot', other: `${shown} bots` }),
      off: (count) => `${count} desactivados`,
      topics: (count, shown) => plural.es(count, { one: '1 tema', other: `${shown} temas` }),
      files: (used) => `${used} en archivos`,
      filesOf: (used, quota) => `${used} de ${quota} ocupados por archivos`,
    },
    messages: {
      title: 'Mensajes, últimos 14 días',
      part: 'mensajes',
      utc: 'Los días empiezan a medianoche UTC.',
      none: 'Ningún mensaje en los últimos 14 días.',
    },
    deliveries: {
      title: 'Entregas de webhooks, últimas 24 horas',
      label: 'Intentos por hora',
      delivered: 'entregadas',
      failed: 'fallido',
      pending: 'en espera ahora',
      capped: (count) => `${count} o más`,
      none: 'Ninguna entrega de webhook en las últimas 24 horas.',
    },
  },
})
