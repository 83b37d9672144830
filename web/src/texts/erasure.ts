import { addSentences, type Sentences } from './errors.ts'
import { byLanguage, plural, texts } from './texts.ts'

addSentences(
  byLanguage<Sentences>({
    en: {
      member_held: 'A legal hold keeps what belongs to this member. End it first, under Records.',
    },
    de: {
      member_held:
        'Eine Sicherung bewahrt auf, was zu diesem Mitglied gehört. Beenden Sie sie zuerst, unter Aufbewahrung.',
      member_erased: 'Die Daten dieses Mitglieds sind schon gelöscht.',
      member_erasure_running: 'Die Daten dieses Mitglieds werden schon gelöscht.',
      member_erasure_of_self: 'Ihre eigenen Daten können Sie nicht löschen.',
    },
    fr: {
      member_held:
        'Un gel juridique conserve ce qui appartient à ce membre. Mettez-y d’abord fin, sous Conservation.',
      member_erased: 'Les données de ce membre sont déjà supprimées.',
      member_erasure_running: 'La suppression des données de ce membre est déjà en cours.',
      member_erasure_of_self: 'Vous ne pouvez pas supprimer vos propres données.',
    },
    es: {
      member_held:
        'Una retención legal conserva lo que pertenece a este miembro. Termínala primero, en Conservación.',
      member_erased: 'Los datos de este miembro ya están eliminados.',
      member_erasure_running: 'Los datos de este miembro ya se están eliminando.',
      member_erasure_of_self: 'No puedes eliminar tus propios datos.',
    },
  }),
)

/** Data that an organization has of one person, handed over and deleted. For admins. */
export const erasureTexts = texts({
  en: {
    nameless: 'Deleted member',
    export: {
      action: 'Export data',
      done: (count: number) =>
        plural.en(count, { one: '1 record was exported.', other: `${count} records were exported.` }),
    },
    erase: {
      action: 'Delete data',
      title: (name: string) => `Delete the data of ${name}?`,
      text: 'They lose access, and nothing here will identify them.',
      costs: {
        profile:
          'Name, address, photo and sessions are deleted right away; drafts, saved messages and settings within a minute.',
        log: 'Their name is removed from the event log and the audit log within minutes.',
        messages:
          'Their messages stay, under the name “Deleted member”. Messages by others that mention their name stay too.',
        account: 'Their account is deleted too, unless they belong to another organization.',
        way: 'This cannot be undone. If they asked for a copy of their data, export it first.',
      },
      withMessages: 'Also delete their messages',
      about: 'All their messages, files and polls, including direct messages.',
      done: 'Their data is being deleted.',
    },
  },
  de: {
    nameless: 'Gelöschtes Mitglied',
    export: {
      action: 'Daten exportieren',
      done: (count) =>
        plural.de(count, {
          one: '1 Eintrag wurde exportiert.',
          other: `${count} Einträge wurden exportiert.`,
        }),
    },
    erase: {
      action: 'Daten löschen',
      title: (name) => `Die Daten von ${name} löschen?`,
      text: 'Die Person verliert den Zugang, und nichts weist mehr auf sie hin.',
      costs: {
        profile:
          'Name, Adresse, Foto und Sitzungen werden sofort gelöscht, Entwürfe, Gemerktes und Einstellungen binnen einer Minute.',
        log: 'Der Name wird binnen Minuten aus Ereignissen und Audit-Protokoll entfernt.',
        messages:
          'Die Nachrichten bleiben unter dem Namen „Gelöschtes Mitglied“. Auch Nachrichten anderer, die den Namen nennen, bleiben.',
        account: 'Auch das Konto wird gelöscht, wenn es zu keiner anderen Organisation gehört.',
        way: 'Das lässt sich nicht rückgängig machen. Wenn die Person eine Kopie verlangt hat, exportieren Sie die Daten zuerst.',
      },
      withMessages: 'Auch die Nachrichten löschen',
      about: 'Alle Nachrichten, Dateien und Umfragen, auch in Direktnachrichten.',
      done: 'Die Daten werden gelöscht.',
    },
  },
  fr: {
    nameless: 'Membre supprimé',
    export: {
      action: 'Exporter les données',
      done: (count) =>
        plural.fr(count, {
          one: `${count} enregistrement exporté.`,
          other: `${count} enregistrements exportés.`,
        }),
    },
    erase: {
      action: 'Supprimer les données',
      title: (name) => `Supprimer les données de ${name} ?`,
      text: 'Cette personne perd l’accès, et plus rien ici ne l’identifiera.',
      costs: {
        profile:
          'Nom, adresse, photo et sessions sont supprimés tout de suite ; brouillons, messages enregistrés et paramètres dans la minute.',
        log: 'Son nom disparaît du journal des événements et du journal d’audit en quelques minutes.',
        messages:
          'Ses messages restent, sous le nom « Membre supprimé ». Les messages d’autres personnes qui citent son nom restent aussi.',
        account: 'Son compte est supprimé aussi, sauf si la personne fait partie d’une autre organisation.',
        way: 'Cette action est irréversible. Si la personne a demandé une copie de ses données, exportez-les d’abord.',
      },
      withMessages: 'Supprimer aussi ses messages',
      about: 'Tous ses messages, fichiers et sondages, messages directs compris.',
      done: 'Ses données sont en cours de suppression.',
    },
  },
  es: {
    nameless: 'Miembro eliminado',
    export: {
      action: 'Exportar datos',
      done: (count) =>
        plural.es(count, { one: 'Se exportó 1 registro.', other: `Se exportaron ${count} registros.` }),
    },
    erase: {
      action: 'Eliminar datos',
      title: (name) => `¿Eliminar los datos de ${name}?`,
      text: 'Pierde el acceso y nada aquí permitirá identificarle.',
      costs: {
        profile:
          'El nombre, la dirección, la foto y las sesiones se eliminan enseguida; los borradores, mensajes guardados y ajustes, en un minuto.',
        log: 'Su nombre se quita del registro de eventos y del registro de auditoría en unos minutos.',
        messages:
          'Sus mensajes se quedan, con el nombre «Miembro eliminado». Los mensajes de otros que mencionan su nombre también.',
        account: 'Su cuenta también se elimina, salvo que pertenezca a otra organización.',
        way: 'Esto no se puede deshacer. Si pidió una copia de sus datos, expórtalos primero.',
      },
      withMessages: 'Eliminar también sus mensajes',
      about: 'Todos sus mensajes, archivos y encuestas, incluidos los mensajes directos.',
      done: 'Sus datos se están eliminando.',
    },
  },
})
