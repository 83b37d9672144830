import { plural, texts } from './texts.ts'

/** Several messages at once. Loaded when the first is selected. */
export const selectionTexts = texts({
  en: {
    bar: 'Selected messages',
    select: 'Select message',
    end: 'End selection',
    count: (count: number) => `${count} selected`,
    saved: (count: number) =>
      plural.en(count, { one: '1 message saved for later.', other: `${count} messages saved for later.` }),
    deleteTitle: (count: number) =>
      plural.en(count, { one: 'Delete this message?', other: `Delete ${count} messages?` }),
    deleteAbout: 'They will be deleted for everyone, including bots. This cannot be undone.',
    othersStay: (count: number) =>
      plural.en(count, {
        one: '1 message of somebody else stays.',
        other: `${count} messages of others stay.`,
      }),
    deleted: (count: number) =>
      plural.en(count, { one: '1 message deleted.', other: `${count} messages deleted.` }),
    most: (count: number) => `Select up to ${count} messages.`,
    stopped: (done: number, all: number, why: string) => `Stopped after ${done} of ${all} messages. ${why}`,
  },
  de: {
    bar: 'Ausgewählte Nachrichten',
    select: 'Nachricht auswählen',
    end: 'Auswahl beenden',
    count: (count) => `${count} ausgewählt`,
    saved: (count) =>
      plural.de(count, {
        one: '1 Nachricht für später gespeichert.',
        other: `${count} Nachrichten für später gespeichert.`,
      }),
    deleteTitle: (count) =>
      plural.de(count, { one: 'Diese Nachricht löschen?', other: `${count} Nachrichten löschen?` }),
    deleteAbout: 'Gelöscht wird für alle, auch für Bots. Das lässt sich nicht rückgängig machen.',
    othersStay: (count) =>
      plural.de(count, {
        one: '1 Nachricht von jemand anderem bleibt.',
        other: `${count} Nachrichten von anderen bleiben.`,
      }),
    deleted: (count) =>
      plural.de(count, { one: '1 Nachricht gelöscht.', other: `${count} Nachrichten gelöscht.` }),
    most: (count) => `Wählen Sie höchstens ${count} Nachrichten aus.`,
    stopped: (done, all, why) => `Nach ${done} von ${all} Nachrichten abgebrochen. ${why}`,
  },
  fr: {
    bar: 'Messages sélectionnés',
    select: 'Sélectionner le message',
    end: 'Terminer la sélection',
    count: (count) => `Sélection : ${count}`,
    saved: (count) =>
      plural.fr(count, {
        one: `${count} message enregistré pour plus tard.`,
        other: `${count} messages enregistrés pour plus tard.`,
      }),
    deleteTitle: (count) =>
      plural.fr(count, { one: `Supprimer ${count} message ?`, other: `Supprimer ${count} messages ?` }),
    deleteAbout: 'La suppression vaut pour tous, bots compris. Elle est définitive.',
    othersStay: (count) =>
      plural.fr(count, {
        one: `${count} message d’une autre personne reste.`,
        other: `${count} messages d’autres personnes restent.`,
      }),
    deleted: (count) =>
      plural.fr(count, { one: `${count} message supprimé.`, other: `${count} messages supprimés.` }),
    most: (count) => `Sélectionnez au plus ${count} messages.`,
    stopped: (done, all, why) => `Arrêt après ${done} messages sur ${all}. ${why}`,
  },
  es: {
    bar: 'Mensajes seleccionados',
    select: 'Seleccionar mensaje',
    end: 'Terminar la selección',
    count: (count) => `Selección: ${count}`,
    saved: (count) =>
      plural.es(count, {
        one: '1 mensaje guardado para más tarde.',
        other: `${count} mensajes guardados para más tarde.`,
      }),
    deleteTitle: (count) =>
      plural.es(count, { one: '¿Eliminar este mensaje?', other: `¿Eliminar ${count} mensajes?` }),
    deleteAbout: 'Se eliminan para todos, también para los bots. No se puede deshacer.',
    othersStay: (count) =>
      plural.es(count, {
        one: '1 mensaje de otra persona se queda.',
        other: `${count} mensajes de otras personas se quedan.`,
      }),
    deleted: (count) =>
      plural.es(count, { one: '1 mensaje eliminado.', other: `${count} mensajes eliminados.` }),
    most: (count) => `Selecciona hasta ${count} mensajes.`,
    stopped: (done, all, why) => `Interrumpido tras ${done} de ${all} mensajes. ${why}`,
  },
})
