import { texts } from './texts.ts'

/** Steps and sources of a bot's answer. */
export const stepTexts = texts({
  en: {
    done: (done: number, all: number) => `${done} of ${all} steps done`,
    withFailure: (done: number, all: number) => `${done} of ${all} steps done, with errors`,
    statuses: { pending: 'pending', in_progress: 'in progress', done: 'done', failed: 'failed' },
    sources: 'Sources',
  },
  de: {
    done: (done, all) => `${done} von ${all} Schritten erledigt`,
    withFailure: (done, all) => `${done} von ${all} Schritten erledigt, mit Fehlern`,
    statuses: { pending: 'offen', in_progress: 'läuft', done: 'erledigt', failed: 'fehlgeschlagen' },
    sources: 'Quellen',
  },
  fr: {
    done: (done, all) => `${done} étapes terminées sur ${all}`,
    withFailure: (done, all) => `${done} étapes terminées sur ${all}, avec des erreurs`,
    statuses: {
      pending: 'en attente',
      in_progress: 'en cours',
      done: 'terminé',
      failed: 'échec',
    },
    sources: 'Sources',
  },
  es: {
    done: (done, all) => `${done} de ${all} pasos hechos`,
    withFailure: (done, all) => `${done} de ${all} pasos hechos, con errores`,
    statuses: {
      pending: 'pendiente',
      in_progress: 'en curso',
      done: 'hecho',
      failed: 'fallido',
    },
    sources: 'Fuentes',
  },
})
