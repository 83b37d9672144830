import { texts } from './texts.ts'

/** The frame of the console: the chat does not wait for it. */
export const consoleTexts = texts({
  en: {
    administration: 'Administration',
    backToChat: 'Back to the chat',
    findInConsole: 'Search members, bots, topics and pages',
    nav: {
      overview: 'Overview',
      members: 'Members',
      topics: 'Topics',
      bots: 'Bots',
      labels: 'Labels',
      orgUnits: 'Org units',
      groups: 'Groups',
      settings: 'Settings',
      identity: 'Identity provider',
      records: 'Records',
      readings: 'Readings',
      reports: 'Reports',
      audit: 'Audit log',
      reference: 'API reference',
    },
  },
  de: {
    administration: 'Administration',
    backToChat: 'Zurück zum Chat',
    findInConsole: 'Mitglieder, Bots, Themen und Seiten suchen',
    nav: {
      overview: 'Übersicht',
      members: 'Mitglieder',
      topics: 'Themen',
      bots: 'Bots',
      labels: 'Labels',
      orgUnits: 'Einheiten',
      groups: 'Gruppen',
      settings: 'Einstellungen',
      identity: 'Identitätsanbieter',
      records: 'Aufbewahrung',
      readings: 'Einsichten',
      reports: 'Meldungen',
      audit: 'Audit-Protokoll',
      reference: 'API-Referenz',
    },
  },
})
