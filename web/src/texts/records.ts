import { addSentences, type Sentences } from './errors.ts'
import { byLanguage, plural, texts } from './texts.ts'

addSentences(
  byLanguage<Sentences>({
    en: {
      retention_for_owners: 'Only owners decide how long messages are kept.',
      shorter_retention_for_owners:
        'Only owners can shorten the time that messages of a topic are kept. You can set a longer time.',
    },
    de: {
      retention_for_owners: 'Wie lange Nachrichten bleiben, entscheiden nur Eigentümer.',
      shorter_retention_for_owners:
        'Nur Eigentümer können die Aufbewahrung eines Themas verkürzen. Verlängern können Sie sie.',
      hold_not_found: 'Diese Sicherung gibt es nicht.',
      hold_ended: 'Diese Sicherung ist schon beendet.',
      hold_subject_ambiguous: 'Eine Sicherung gilt einem Thema oder einem Mitglied, nicht beiden.',
    },
    fr: {
      retention_for_owners: 'Seuls les propriétaires décident de la durée de conservation des messages.',
      shorter_retention_for_owners:
        'Seuls les propriétaires peuvent raccourcir la durée de conservation des messages d’un sujet. Vous pouvez l’allonger.',
      hold_not_found: 'Ce gel juridique n’existe pas.',
      hold_ended: 'Ce gel juridique est déjà terminé.',
      hold_subject_ambiguous: 'Un gel juridique porte sur un sujet ou sur un membre, pas sur les deux.',
    },
    es: {
      retention_for_owners: 'Solo los propietarios deciden cuánto tiempo se conservan los mensajes.',
      shorter_retention_for_owners:
        'Solo los propietarios pueden acortar el tiempo que se conservan los mensajes de un tema. Puedes alargarlo.',
      hold_not_found: 'Esta retención no existe.',
      hold_ended: 'Esta retención ya terminó.',
      hold_subject_ambiguous: 'Una retención se aplica a un tema o a un miembro, no a ambos.',
    },
  }),
)

/** How long messages are kept, and what is kept against being deleted: for admins. */
export const recordsTexts = texts({
  en: {
    title: 'Records',
    about:
      'How long messages are kept, and which must not be deleted. Every change is recorded in the audit log.',
    keep: {
      title: 'Message retention',
      about:
        'Applies to all direct messages and to topics without their own setting. Older messages are permanently deleted, with their files.',
      legend: 'Keep messages',
      forEver: 'Forever',
      organization: 'Use the organization’s setting',
      days: 'For a number of days',
      label: 'Days',
      invalid: (most: string) => `Enter a whole number from 1 to ${most}.`,
      save: 'Save message retention',
      saved: 'Message retention saved.',
      forOwners: 'Only owners decide how long messages are kept.',
      planned: 'Saved. It takes effect in a day, and all owners get a mail.',
      plannedNow: (count: number, shown: string, by: string) =>
        plural.en(count, {
          one: `${by} chose 1 day. It takes effect on:`,
          other: `${by} chose ${shown} days. It takes effect on:`,
        }),
      takeBack: 'Cancel change',
      takenBack: 'Change cancelled.',
      forEverNow: 'Messages are kept forever.',
      daysNow: (count: number, shown: string) =>
        plural.en(count, {
          one: 'Messages are kept for 1 day.',
          other: `Messages are kept for ${shown} days.`,
        }),
      costs: {
        title: (count: number, shown: string) =>
          plural.en(count, { one: 'Delete 1 message?', other: `Delete ${shown} messages?` }),
        text: (count: number, shown: string, days: string) =>
          plural.en(count, {
            one: `1 message older than ${days} will be deleted.`,
            other: `${shown} messages older than ${days} will be deleted.`,
          }),
        days: (count: number, shown: string) => plural.en(count, { one: '1 day', other: `${shown} days` }),
        atLeast: (shown: string) => `At least ${shown}`,
        with: 'Their files, reactions and polls are deleted, too. Tasks and forwarded copies stay.',
        begins: 'Deletion starts within a minute. After that, each message is deleted when its time is up.',
        inADay: 'Deletion starts in a day. Until then, any owner can cancel it; all of them get a mail.',
        way: 'This cannot be undone.',
        action: 'Delete and save',
      },
    },
    holds: {
      title: 'Legal holds',
      about:
        'While a hold is active, messages are kept past their time, and edited or deleted messages are kept in their original form. Members do not notice: in the chat, deleted messages are gone.',
      set: 'Create hold',
      state: 'Show',
      standing: 'Active holds',
      ended: 'Ended holds',
      columns: { what: 'On', reason: 'Reason', by: 'Set by', at: 'Since', ended: 'Ended' },
      kinds: { organization: 'The whole organization', topic: 'A topic', member: 'A person or bot' },
      kindOf: { topic: 'Topic', member: 'All their messages' },
      legend: 'Applies to',
      topicLabel: 'Topic',
      topicHint: 'Enter a name',
      memberLabel: 'Person or bot',
      memberHint: 'Enter a name or address',
      missing: 'Choose a topic, person or bot.',
      reason: 'Reason',
      noReason: 'Enter a reason.',
      done: 'Hold created.',
      count: (count: number) => plural.en(count, { one: '1 hold', other: `${count} holds` }),
      none: { title: 'No holds', text: 'Create one to keep messages that you may have to produce later.' },
      export: 'Export as JSON Lines',
      exported: (count: number) =>
        plural.en(count, { one: '1 record was exported.', other: `${count} records were exported.` }),
      end: {
        action: 'End hold',
        title: (name: string) => `End the hold on ${name}?`,
        text: 'Its copies of edited and deleted messages are deleted, unless another hold keeps them.',
        time: 'Messages past their time are deleted as well.',
        way: 'This cannot be undone. Export the content first if you may need it.',
        done: 'Hold ended.',
      },
    },
    topic: {
      action: 'Message retention…',
      title: (name: string) => `Message retention in ${name}`,
      button: 'Save',
      forOwners: 'Only owners can choose a shorter time.',
    },
  },
  de: {
    title: 'Aufbewahrung',
    about:
      'Wie lange Nachrichten aufbewahrt werden und welche nicht gelöscht werden dürfen. Jede Änderung steht im Audit-Protokoll.',
    keep: {
      title: 'Aufbewahrung von Nachrichten',
      about:
        'Gilt für alle Direktnachrichten und für Themen ohne eigene Einstellung. Ältere Nachrichten werden samt Dateien endgültig gelöscht.',
      legend: 'Nachrichten aufbewahren',
      forEver: 'Für immer',
      organization: 'Einstellung der Organisation verwenden',
      days: 'Für eine Anzahl von Tagen',
      label: 'Tage',
      invalid: (most) => `Geben Sie eine ganze Zahl von 1 bis ${most} ein.`,
      save: 'Aufbewahrung speichern',
      saved: 'Aufbewahrung gespeichert.',
      forOwners: 'Nur Eigentümer können das ändern.',
      planned: 'Gespeichert. Die Änderung gilt in einem Tag, und alle Eigentümer bekommen eine E-Mail.',
      plannedNow: (count, shown, by) =>
        plural.de(count, {
          one: `${by} hat 1 Tag gewählt. Das gilt ab:`,
          other: `${by} hat ${shown} Tage gewählt. Das gilt ab:`,
        }),
      takeBack: 'Änderung abbrechen',
      takenBack: 'Änderung abgebrochen.',
      forEverNow: 'Nachrichten werden für immer aufbewahrt.',
      daysNow: (count, shown) =>
        plural.de(count, {
          one: 'Nachrichten werden 1 Tag aufbewahrt.',
          other: `Nachrichten werden ${shown} Tage aufbewahrt.`,
        }),
      costs: {
        title: (count, shown) =>
          plural.de(count, { one: '1 Nachricht löschen?', other: `${shown} Nachrichten löschen?` }),
        text: (count, shown, days) =>
          plural.de(count, {
            one: `1 Nachricht, die älter ist als ${days}, wird gelöscht.`,
            other: `${shown} Nachrichten, die älter sind als ${days}, werden gelöscht.`,
          }),
        days: (count, shown) => plural.de(count, { one: '1 Tag', other: `${shown} Tage` }),
        atLeast: (shown) => `Mindestens ${shown}`,
        with: 'Auch ihre Dateien, Reaktionen und Umfragen werden gelöscht. Aufgaben und weitergeleitete Kopien bleiben.',
        begins:
          'Das Löschen beginnt binnen einer Minute. Danach wird jede Nachricht gelöscht, wenn ihre Zeit um ist.',
        inADay:
          'Das Löschen beginnt in einem Tag. Bis dahin kann jeder Eigentümer es abbrechen; alle bekommen eine E-Mail.',
        way: 'Das lässt sich nicht rückgängig machen.',
        action: 'Löschen und speichern',
      },
    },
    holds: {
      title: 'Sicherungen',
      about:
        'Solange eine Sicherung gilt, werden Nachrichten über ihre Zeit hinaus aufbewahrt, bearbeitete und gelöschte in ihrer ursprünglichen Form. Mitglieder bemerken das nicht: Im Chat sind gelöschte Nachrichten weg.',
      set: 'Sicherung anlegen',
      state: 'Anzeigen',
      standing: 'Aktive Sicherungen',
      ended: 'Beendete Sicherungen',
      columns: { what: 'Von', reason: 'Grund', by: 'Angelegt von', at: 'Seit', ended: 'Beendet' },
      kinds: {
        organization: 'Die ganze Organisation',
        topic: 'Ein Thema',
        member: 'Eine Person oder ein Bot',
      },
      kindOf: { topic: 'Thema', member: 'Alle Nachrichten' },
      legend: 'Gilt für',
      topicLabel: 'Thema',
      topicHint: 'Name eingeben',
      memberLabel: 'Person oder Bot',
      memberHint: 'Name oder Adresse eingeben',
      missing: 'Wählen Sie ein Thema, eine Person oder einen Bot.',
      reason: 'Grund',
      noReason: 'Geben Sie einen Grund ein.',
      done: 'Sicherung angelegt.',
      count: (count) => plural.de(count, { one: '1 Sicherung', other: `${count} Sicherungen` }),
      none: {
        title: 'Keine Sicherungen',
        text: 'Legen Sie eine an, um Nachrichten aufzubewahren, die Sie später vorlegen müssen.',
      },
      export: 'Als JSON Lines exportieren',
      exported: (count) =>
        plural.de(count, {
          one: '1 Eintrag wurde exportiert.',
          other: `${count} Einträge wurden exportiert.`,
        }),
      end: {
        action: 'Sicherung beenden',
        title: (name) => `Sicherung von ${name} beenden?`,
        text: 'Ihre Kopien bearbeiteter und gelöschter Nachrichten werden gelöscht, außer eine andere Sicherung bewahrt sie auf.',
        time: 'Auch Nachrichten, deren Zeit um ist, werden gelöscht.',
        way: 'Das lässt sich nicht rückgängig machen. Exportieren Sie den Inhalt vorher, falls Sie ihn noch brauchen.',
        done: 'Sicherung beendet.',
      },
    },
    topic: {
      action: 'Aufbewahrung…',
      title: (name) => `Aufbewahrung in ${name}`,
      button: 'Speichern',
      forOwners: 'Nur Eigentümer können eine kürzere Zeit wählen.',
    },
  },
  fr: {
    title: 'Conservation',
    about:
      'Combien de temps les messages sont conservés, et lesquels ne doivent pas être supprimés. Chaque changement est inscrit dans le journal d’audit.',
    keep: {
      title: 'Conservation des messages',
      about:
        'S’applique à tous les messages directs et aux sujets sans réglage propre. Les messages plus anciens sont supprimés définitivement, avec leurs fichiers.',
      legend: 'Conserver les messages',
      forEver: 'Indéfiniment',
      organization: 'Utiliser le réglage de l’organisation',
      days: 'Pendant un nombre de jours',
      label: 'Jours',
      invalid: (most) => `Saisissez un nombre entier de 1 à ${most}.`,
      save: 'Enregistrer la conservation',
      saved: 'Conservation des messages enregistrée.',
      forOwners: 'Seuls les propriétaires décident de la durée de conservation des messages.',
      planned: 'Enregistré. Cela prend effet dans un jour, et tous les propriétaires reçoivent un e-mail.',
      plannedNow: (count, shown, by) =>
        plural.fr(count, {
          one: `${by} a choisi ${shown} jour. Prend effet le :`,
          other: `${by} a choisi ${shown} jours. Prend effet le :`,
        }),
      takeBack: 'Annuler le changement',
      takenBack: 'Changement annulé.',
      forEverNow: 'Les messages sont conservés indéfiniment.',
      daysNow: (count, shown) =>
        plural.fr(count, {
          one: `Les messages sont conservés ${shown} jour.`,
          other: `Les messages sont conservés ${shown} jours.`,
        }),
      costs: {
        title: (count, shown) =>
          plural.fr(count, {
            one: `Supprimer ${shown} message ?`,
            many: `Supprimer ${shown} de messages ?`,
            other: `Supprimer ${shown} messages ?`,
          }),
        text: (count, shown, days) =>
          plural.fr(count, {
            one: `${shown} message de plus de ${days} sera supprimé.`,
            many: `${shown} de messages de plus de ${days} seront supprimés.`,
            other: `${shown} messages de plus de ${days} seront supprimés.`,
          }),
        days: (count, shown) => plural.fr(count, { one: `${shown} jour`, other: `${shown} jours` }),
        atLeast: (shown) => `Au moins ${shown}`,
        with: 'Leurs fichiers, réactions et sondages sont supprimés aussi. Les tâches et les copies transférées restent.',
        begins:
          'La suppression commence dans la minute. Ensuite, chaque message est supprimé à son échéance.',
        inADay:
          'La suppression commence dans un jour. D’ici là, tout propriétaire peut l’annuler ; tous reçoivent un e-mail.',
        way: 'Cette action est irréversible.',
        action: 'Supprimer et enregistrer',
      },
    },
    holds: {
      title: 'Gels juridiques',
      about:
        'Tant qu’un gel est actif, les messages sont conservés au-delà de leur durée, et les messages modifiés ou supprimés le sont dans leur forme d’origine. Les membres ne remarquent rien : dans le chat, les messages supprimés ont disparu.',
      set: 'Créer un gel',
      state: 'Afficher',
      standing: 'Gels actifs',
      ended: 'Gels terminés',
      columns: {
        what: 'Sur',
        reason: 'Motif',
        by: 'Créé par',
        at: 'Depuis',
        ended: 'Terminé',
      },
      kinds: {
        organization: 'Toute l’organisation',
        topic: 'Un sujet',
        member: 'Une personne ou un bot',
      },
      kindOf: {
        topic: 'Sujet',
        member: 'Tous ses messages',
      },
      legend: 'S’applique à',
      topicLabel: 'Sujet',
      topicHint: 'Saisissez un nom',
      memberLabel: 'Personne ou bot',
      memberHint: 'Saisissez un nom ou une adresse',
      missing: 'Choisissez un sujet, une personne ou un bot.',
      reason: 'Motif',
      noReason: 'Saisissez un motif.',
      done: 'Gel créé.',
      count: (count) => plural.fr(count, { one: `${count} gel`, other: `${count} gels` }),
      none: {
        title: 'Aucun gel',
        text: 'Créez-en un pour conserver des messages que vous devrez peut-être produire plus tard.',
      },
      export: 'Exporter en JSON Lines',
      exported: (count) =>
        plural.fr(count, {
          one: `${count} enregistrement exporté.`,
          other: `${count} enregistrements exportés.`,
        }),
      end: {
        action: 'Mettre fin au gel',
        title: (name) => `Mettre fin au gel sur ${name} ?`,
        text: 'Ses copies des messages modifiés et supprimés sont supprimées, sauf si un autre gel les conserve.',
        time: 'Les messages dont la durée est dépassée sont supprimés également.',
        way: 'Cette action est irréversible. Exportez d’abord le contenu si vous pourriez en avoir besoin.',
        done: 'Gel terminé.',
      },
    },
    topic: {
      action: 'Conservation des messages …',
      title: (name) => `Conservation des messages dans ${name}`,
      button: 'Enregistrer',
      forOwners: 'Seuls les propriétaires peuvent choisir une durée plus courte.',
    },
  },
  es: {
    title: 'Conservación',
    about:
      'Cuánto tiempo se conservan los mensajes y cuáles no se deben eliminar. Cada cambio queda en el registro de auditoría.',
    keep: {
      title: 'Conservación de mensajes',
      about:
        'Se aplica a todos los mensajes directos y a los temas sin ajuste propio. Los mensajes más antiguos se eliminan para siempre, con sus archivos.',
      legend: 'Conservar los mensajes',
      forEver: 'Indefinidamente',
      organization: 'Usar el ajuste de la organización',
      days: 'Durante un número de días',
      label: 'Días',
      invalid: (most) => `Introduce un número entero de 1 a ${most}.`,
      save: 'Guardar conservación',
      saved: 'Conservación de mensajes guardada.',
      forOwners: 'Solo los propietarios deciden cuánto tiempo se conservan los mensajes.',
      planned: 'Guardado. Se aplica dentro de un día y todos los propietarios reciben un correo.',
      plannedNow: (count, shown, by) =>
        plural.es(count, {
          one: `${by} eligió 1 día. Se aplica el:`,
          other: `${by} eligió ${shown} días. Se aplica el:`,
        }),
      takeBack: 'Cancelar cambio',
      takenBack: 'Cambio cancelado.',
      forEverNow: 'Los mensajes se conservan indefinidamente.',
      daysNow: (count, shown) =>
        plural.es(count, {
          one: 'Los mensajes se conservan 1 día.',
          other: `Los mensajes se conservan ${shown} días.`,
        }),
      costs: {
        title: (count, shown) =>
          plural.es(count, {
            one: '¿Eliminar 1 mensaje?',
            many: `¿Eliminar ${shown} de mensajes?`,
            other: `¿Eliminar ${shown} mensajes?`,
          }),
        text: (count, shown, days) =>
          plural.es(count, {
            one: `Se eliminará 1 mensaje con más de ${days}.`,
            many: `Se eliminarán ${shown} de mensajes con más de ${days}.`,
            other: `Se eliminarán ${shown} mensajes con más de ${days}.`,
          }),
        days: (count, shown) => plural.es(count, { one: '1 día', other: `${shown} días` }),
        atLeast: (shown) => `Al menos ${shown}`,
        with: 'También se eliminan sus archivos, reacciones y encuestas. Las tareas y las copias reenviadas se quedan.',
        begins:
          'La eliminación empieza en un minuto. Después, cada mensaje se elimina cuando se cumple su plazo.',
        inADay:
          'La eliminación empieza dentro de un día. Hasta entonces, cualquier propietario puede cancelarla; todos reciben un correo.',
        way: 'Esto no se puede deshacer.',
        action: 'Eliminar y guardar',
      },
    },
    holds: {
      title: 'Retenciones legales',
      about:
        'Mientras una retención está activa, los mensajes se conservan más allá de su plazo, y los editados o eliminados se guardan en su forma original. Los miembros no lo notan: en el chat, los mensajes eliminados ya no están.',
      set: 'Crear retención',
      state: 'Mostrar',
      standing: 'Retenciones activas',
      ended: 'Retenciones terminadas',
      columns: {
        what: 'Sobre',
        reason: 'Motivo',
        by: 'Creada por',
        at: 'Desde',
        ended: 'Terminada',
      },
      kinds: {
        organization: 'Toda la organización',
        topic: 'Un tema',
        member: 'Una persona o un bot',
      },
      kindOf: {
        topic: 'Tema',
        member: 'Todos sus mensajes',
      },
      legend: 'Se aplica a',
      topicLabel: 'Tema',
      topicHint: 'Introduce un nombre',
      memberLabel: 'Persona o bot',
      memberHint: 'Introduce un nombre o una dirección',
      missing: 'Elige un tema, una persona o un bot.',
      reason: 'Motivo',
      noReason: 'Introduce un motivo.',
      done: 'Retención creada.',
      count: (count) => plural.es(count, { one: '1 retención', other: `${count} retenciones` }),
      none: {
        title: 'Sin retenciones',
        text: 'Crea una para conservar mensajes que quizá debas presentar más adelante.',
      },
      export: 'Exportar como JSON Lines',
      exported: (count) =>
        plural.es(count, { one: 'Se exportó 1 registro.', other: `Se exportaron ${count} registros.` }),
      end: {
        action: 'Terminar retención',
        title: (name) => `¿Terminar la retención sobre ${name}?`,
        text: 'Sus copias de mensajes editados y eliminados se eliminan, salvo que otra retención las conserve.',
        time: 'También se eliminan los mensajes cuyo plazo se cumplió.',
        way: 'Esto no se puede deshacer. Exporta antes el contenido si podrías necesitarlo.',
        done: 'Retención terminada.',
      },
    },
    topic: {
      action: 'Conservación de mensajes…',
      title: (name) => `Conservación de mensajes en ${name}`,
      button: 'Guardar',
      forOwners: 'Solo los propietarios pueden elegir un tiempo más corto.',
    },
  },
})
