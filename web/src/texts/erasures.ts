import { plural, texts } from './texts.ts'

/** Deletions of people's data, and how far they have come. For admins. */
export const erasuresTexts = texts({
  en: {
    title: 'Deleted data',
    list: 'Deletions',
    about:
      'People whose data was deleted under Members. Their names are gone; the ID matches the one in the audit log.',
    columns: { who: 'Member', asked: 'Requested by', messages: 'Their messages', state: 'State' },
    operator: 'Server command',
    messages: { kept: 'Kept without name', deleted: 'Deleted' },
    states: {
      running: 'Deleting…',
      held: 'Waiting for the end of a legal hold',
      failing: 'Could not be finished',
      done: 'Deleted',
    },
    again: 'Next attempt:',
    count: (count: number) => plural.en(count, { one: '1 deletion', other: `${count} deletions` }),
    none: { title: 'Nothing deleted', text: 'To delete the data of a person, use their menu under Members.' },
  },
  de: {
    title: 'Gelöschte Daten',
    list: 'Löschungen',
    about:
      'Personen, deren Daten unter Mitglieder gelöscht wurden. Ihre Namen sind weg; die ID steht auch im Audit-Protokoll.',
    columns: { who: 'Mitglied', asked: 'Veranlasst von', messages: 'Nachrichten', state: 'Status' },
    operator: 'Befehl auf dem Server',
    messages: { kept: 'Bleiben ohne Namen', deleted: 'Gelöscht' },
    states: {
      running: 'Wird gelöscht…',
      held: 'Wartet auf das Ende einer Sicherung',
      failing: 'Konnte nicht abgeschlossen werden',
      done: 'Gelöscht',
    },
    again: 'Nächster Versuch:',
    count: (count) => plural.de(count, { one: '1 Löschung', other: `${count} Löschungen` }),
    none: {
      title: 'Nichts gelöscht',
      text: 'Daten einer Person löschen Sie in ihrem Menü unter Mitglieder.',
    },
  },
  fr: {
    title: 'Données supprimées',
    list: 'Suppressions',
    about:
      'Personnes dont les données ont été supprimées sous Membres. Leurs noms ont disparu ; l’ID correspond à celui du journal d’audit.',
    columns: {
      who: 'Membre',
      asked: 'Demandé par',
      messages: 'Ses messages',
      state: 'État',
    },
    operator: 'Commande du serveur',
    messages: {
      kept: 'Conservés sans nom',
      deleted: 'Supprimés',
    },
    states: {
      running: 'Suppression …',
      held: 'En attente de la fin d’un gel juridique',
      failing: 'N’a pas pu être achevée',
      done: 'Supprimées',
    },
    again: 'Prochaine tentative :',
    count: (count) => plural.fr(count, { one: `${count} suppression`, other: `${count} suppressions` }),
    none: {
      title: 'Rien de supprimé',
      text: 'Pour supprimer les données d’une personne, utilisez son menu sous Membres.',
    },
  },
  es: {
    title: 'Datos eliminados',
    list: 'Eliminaciones',
    about:
      'Personas cuyos datos se eliminaron en Miembros. Sus nombres ya no están; el ID coincide con el del registro de auditoría.',
    columns: {
      who: 'Miembro',
      asked: 'Solicitado por',
      messages: 'Sus mensajes',
      state: 'Estado',
    },
    operator: 'Comando del servidor',
    messages: {
      kept: 'Se conservan sin nombre',
      deleted: 'Eliminados',
    },
    states: {
      running: 'Eliminando…',
      held: 'A la espera de que termine una retención legal',
      failing: 'No se pudo completar',
      done: 'Eliminados',
    },
    again: 'Próximo intento:',
    count: (count) => plural.es(count, { one: '1 eliminación', other: `${count} eliminaciones` }),
    none: {
      title: 'Nada eliminado',
      text: 'Para eliminar los datos de una persona, usa su menú en Miembros.',
    },
  },
})
