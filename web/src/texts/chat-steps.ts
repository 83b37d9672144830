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
})
