import { texts } from './texts.ts'

/** Texts of the notification settings. Loaded with their view. */
export const notifications = texts({
  en: {
    offer: {
      text: 'Get a notification when someone mentions you or writes to you?',
      accept: 'Turn on',
      decline: 'No thanks',
    },
    browser: {
      legend: 'This browser',
      label: 'Show notifications in this browser',
      states: {
        unsupported: 'This browser does not support notifications here.',
        denied: 'Notifications are blocked for this site. Allow them in your browser’s settings.',
        off: 'Your browser will ask for permission.',
        page: 'Shown while Parley is open in a tab.',
        always: 'Shown even when Parley is closed.',
      },
      sound: { label: 'Play a sound', about: 'When a notification comes and Parley is open in a tab.' },
    },
    what: {
      legend: 'Notify me about',
      hint: 'Mentions in topics and every direct message. Choose more or less for a topic in its settings.',
      keywords: 'Keywords',
      keywordsHint: 'Separate them with commas. Messages with one of these words notify you.',
      keywordsPlaceholder: 'release, on call',
      save: 'Save keywords',
      saved: 'Keywords saved.',
    },
    when: {
      legend: 'When not to notify me',
      notWhileActive: {
        label: 'While I am active on another device',
        about: 'Your other devices stay silent while you use Parley on one.',
      },
      quiet: { label: 'Quiet hours', about: 'No notifications and no mail between these times.' },
      from: 'From',
      to: 'To',
      days: { label: 'Notify me on', about: 'On other days nothing comes, by mail neither.' },
      timeZone: 'Time zone',
    },
    differ: {
      legend: 'Topics that differ',
      none: 'All topics notify you about mentions and keywords. Change one in its settings.',
      levelIn: (topic: string) => `Notify me about, in ${topic}`,
      unmute: 'Unmute',
      unmuteOne: (topic: string) => `Unmute ${topic}`,
    },
    mail: {
      legend: 'E-mail',
      label: 'Send me a summary of unread messages',
      after: {
        0: 'Never',
        15: 'After 15 minutes',
        60: 'After an hour',
        240: 'After 4 hours',
        1440: 'After a day',
      },
    },
  },
  de: {
    offer: {
      text: 'Möchten Sie benachrichtigt werden, wenn Sie erwähnt werden oder eine Direktnachricht bekommen?',
      accept: 'Einschalten',
      decline: 'Nein danke',
    },
    browser: {
      legend: 'Dieser Browser',
      label: 'Benachrichtigungen in diesem Browser anzeigen',
      states: {
        unsupported: 'Dieser Browser unterstützt hier keine Benachrichtigungen.',
        denied:
          'Benachrichtigungen sind für diese Seite gesperrt. Erlauben Sie sie in den Einstellungen Ihres Browsers.',
        off: 'Ihr Browser wird um Erlaubnis fragen.',
        page: 'Sie erscheinen, solange Parley in einem Tab offen ist.',
        always: 'Sie erscheinen auch, wenn Parley geschlossen ist.',
      },
      sound: {
        label: 'Ton abspielen',
        about: 'Wenn eine Benachrichtigung kommt und Parley in einem Tab offen ist.',
      },
    },
    what: {
      legend: 'Benachrichtigen bei',
      hint: 'Erwähnungen in Themen und jede Direktnachricht. Mehr oder weniger wählen Sie in den Einstellungen eines Themas.',
      keywords: 'Stichwörter',
      keywordsHint: 'Mit Kommas getrennt. Bei Nachrichten mit einem dieser Wörter werden Sie benachrichtigt.',
      keywordsPlaceholder: 'Katalog, Bereitschaft',
      save: 'Stichwörter speichern',
      saved: 'Stichwörter gespeichert.',
    },
    when: {
      legend: 'Nicht benachrichtigen',
      notWhileActive: {
        label: 'Während ich auf einem anderen Gerät aktiv bin',
        about: 'Ihre anderen Geräte bleiben still, während Sie Parley auf einem verwenden.',
      },
      quiet: {
        label: 'Ruhezeiten',
        about: 'Zwischen diesen Zeiten keine Benachrichtigungen und keine E-Mails.',
      },
      from: 'Von',
      to: 'Bis',
      days: { label: 'Benachrichtigen am', about: 'An anderen Tagen kommt nichts, auch keine E-Mail.' },
      timeZone: 'Zeitzone',
    },
    differ: {
      legend: 'Themen, die abweichen',
      none: 'Alle Themen benachrichtigen bei Erwähnungen und Stichwörtern. In den Einstellungen eines Themas ändern Sie das.',
      levelIn: (topic) => `Benachrichtigen bei, in ${topic}`,
      unmute: 'Stumm aufheben',
      unmuteOne: (topic) => `Stumm aufheben: ${topic}`,
    },
    mail: {
      legend: 'E-Mail',
      label: 'Zusammenfassung ungelesener Nachrichten schicken',
      after: {
        0: 'Nie',
        15: 'Nach 15 Minuten',
        60: 'Nach einer Stunde',
        240: 'Nach 4 Stunden',
        1440: 'Nach einem Tag',
      },
    },
  },
  fr: {
    offer: {
      text: 'Recevoir une notification quand quelqu’un vous mentionne ou vous écrit ?',
      accept: 'Activer',
      decline: 'Non merci',
    },
    browser: {
      legend: 'Ce navigateur',
      label: 'Afficher les notifications dans ce navigateur',
      states: {
        unsupported: 'Ce navigateur ne prend pas en charge les notifications ici.',
        denied:
          'Les notifications sont bloquées pour ce site. Autorisez-les dans les paramètres de votre navigateur.',
        off: 'Votre navigateur demandera l’autorisation.',
        page: 'Affichées tant que Parley est ouvert dans un onglet.',
        always: 'Affichées même quand Parley est fermé.',
      },
      sound: {
        label: 'Émettre un son',
        about: 'À l’arrivée d’une notification, quand Parley est ouvert dans un onglet.',
      },
    },
    what: {
      legend: 'Me notifier pour',
      hint: 'Les mentions dans les sujets et chaque message direct. Choisissez plus ou moins pour un sujet dans ses paramètres.',
      keywords: 'Mots-clés',
      keywordsHint: 'Séparez-les par des virgules. Les messages contenant l’un de ces mots vous notifient.',
      keywordsPlaceholder: 'version, astreinte',
      save: 'Enregistrer les mots-clés',
      saved: 'Mots-clés enregistrés.',
    },
    when: {
      legend: 'Quand ne pas me notifier',
      notWhileActive: {
        label: 'Quand je suis actif sur un autre appareil',
        about: 'Vos autres appareils restent silencieux pendant que vous utilisez Parley sur l’un d’eux.',
      },
      quiet: {
        label: 'Heures calmes',
        about: 'Ni notifications ni e-mails entre ces heures.',
      },
      from: 'Du',
      to: 'Au',
      days: { label: 'Me notifier le', about: 'Les autres jours, rien n’arrive, pas même par e-mail.' },
      timeZone: 'Fuseau horaire',
    },
    differ: {
      legend: 'Sujets qui diffèrent',
      none: 'Tous les sujets vous notifient des mentions et des mots-clés. Changez-en un dans ses paramètres.',
      levelIn: (topic) => `Me notifier pour, dans ${topic}`,
      unmute: 'Réactiver',
      unmuteOne: (topic) => `Réactiver ${topic}`,
    },
    mail: {
      legend: 'E-mail',
      label: 'M’envoyer un résumé des messages non lus',
      after: {
        0: 'Jamais',
        15: 'Après 15 minutes',
        60: 'Après une heure',
        240: 'Après 4 heures',
        1440: 'Après un jour',
      },
    },
  },
  es: {
    offer: {
      text: '¿Recibir una notificación cuando alguien te mencione o te escriba?',
      accept: 'Activar',
      decline: 'No, gracias',
    },
    browser: {
      legend: 'Este navegador',
      label: 'Mostrar notificaciones en este navegador',
      states: {
        unsupported: 'Este navegador no admite notificaciones aquí.',
        denied:
          'Las notificaciones están bloqueadas para este sitio. Permítelas en los ajustes de tu navegador.',
        off: 'Tu navegador pedirá permiso.',
        page: 'Se muestran mientras Parley está abierto en una pestaña.',
        always: 'Se muestran también con Parley cerrado.',
      },
      sound: {
        label: 'Reproducir un sonido',
        about: 'Cuando llega una notificación y Parley está abierto en una pestaña.',
      },
    },
    what: {
      legend: 'Notificarme sobre',
      hint: 'Menciones en temas y todos los mensajes directos. Elige más o menos para un tema en sus ajustes.',
      keywords: 'Palabras clave',
      keywordsHint: 'Sepáralas con comas. Los mensajes con una de estas palabras te notifican.',
      keywordsPlaceholder: 'lanzamiento, guardia',
      save: 'Guardar palabras clave',
      saved: 'Palabras clave guardadas.',
    },
    when: {
      legend: 'Cuándo no notificarme',
      notWhileActive: {
        label: 'Mientras uso otro dispositivo',
        about: 'Tus otros dispositivos no suenan mientras usas Parley en uno.',
      },
      quiet: {
        label: 'Horas de silencio',
        about: 'Ni notificaciones ni correos entre estas horas.',
      },
      from: 'Desde',
      to: 'Hasta',
      days: { label: 'Notificarme los', about: 'Los demás días no llega nada, tampoco por correo.' },
      timeZone: 'Zona horaria',
    },
    differ: {
      legend: 'Temas que difieren',
      none: 'Todos los temas te notifican menciones y palabras clave. Cambia uno en sus ajustes.',
      levelIn: (topic) => `Notificarme sobre, en ${topic}`,
      unmute: 'Activar',
      unmuteOne: (topic) => `Activar ${topic}`,
    },
    mail: {
      legend: 'Correo',
      label: 'Enviarme un resumen de mensajes sin leer',
      after: {
        0: 'Nunca',
        15: 'Tras 15 minutos',
        60: 'Tras una hora',
        240: 'Tras 4 horas',
        1440: 'Tras un día',
      },
    },
  },
})
