import type { PageLanguage } from '../../http/language.ts'

export type StatusTexts = {
  title: string
  asOf: (time: string, end: string) => string
  lookAgain: string
  nodes: string
  columns: string[]
  noNode: string
  upFor: (duration: string) => string
  silentFor: (duration: string) => string
  stopping: string
  database: string
  isStandby: string
  connections: string
  of: (some: string, all: string) => string
  migrations: string
  upToDate: string
  changed: (names: string) => string
  pending: (names: string) => string
  newer: (names: string) => string
  notShown: string
  behind: (duration: string) => string
  missing: (kilobytes: string) => string
  work: string
  deliveries: string
  waiting: (count: string, oldest: string) => string
  pausedBots: string
  leases: string
  leased: (bots: string, nodes: string) => string
  late: (count: string, oldest: string) => string
  /** Queues by their name in the query. */
  kinds: Partial<Record<string, string>>
  search: string
  /** Messages that cannot be found yet. */
  notFound: (count: string) => string
  files: string
  failing: (times: string, duration: string) => string
  backup: string
  backupOf: (age: string, place: string) => string
  noBackup: string
  number: (value: number) => string
  duration: (seconds: number) => string
  time: (at: number) => string
}

const formatsOf = (language: PageLanguage) => {
  const whole = new Intl.NumberFormat(language, { maximumFractionDigits: 0 })
  const units = (['second', 'minute', 'hour', 'day'] as const).map(
    (unit) =>
      new Intl.NumberFormat(language, {
        style: 'unit',
        unit,
        unitDisplay: 'short',
        maximumFractionDigits: 0,
      }),
  )
  const [seconds, minutes, hours, days] = units
  const time = new Intl.DateTimeFormat(language, {
    dateStyle: 'medium',
    timeStyle: 'medium',
    timeZone: 'UTC',
  })
  return {
    number: (value: number) => whole.format(value),
    duration(value: number): string {
      if (value < 120) return seconds?.format(value) ?? ''
      if (value < 7200) return minutes?.format(value / 60) ?? ''
      if (value < 172_800) return hours?.format(value / 3600) ?? ''
      return days?.format(value / 86_400) ?? ''
    },
    time: (at: number) => `${time.format(at)} UTC`,
  }
}

export const STATUS_TEXTS: Record<PageLanguage, StatusTexts> = {
  en: {
    ...formatsOf('en'),
    title: 'Server status',
    asOf: (time, end) => `As of ${time}. This link expires ${end}.`,
    lookAgain: 'Refresh',
    nodes: 'Nodes',
    columns: ['Name', 'Version', 'State', 'Roles', 'Memory', 'Free disk', 'Waiting polls'],
    noNode: 'No node has reported yet.',
    upFor: (duration) => `up for ${duration}`,
    silentFor: (duration) => `silent for ${duration}`,
    stopping: 'stopping',
    database: 'Database',
    isStandby: 'standby',
    connections: 'Connections',
    of: (some, all) => `${some} of ${all}`,
    migrations: 'Migrations',
    upToDate: 'up to date',
    changed: (names) => `changed: ${names}`,
    pending: (names) => `not applied yet: ${names}`,
    newer: (names) => `from a newer version: ${names}`,
    notShown: 'hidden from this database user: grant it pg_monitor',
    behind: (duration) => `${duration} behind`,
    missing: (kilobytes) => `missing ${kilobytes} KB of the log`,
    work: 'Queues',
    deliveries: 'Webhook deliveries',
    waiting: (count, oldest) => `${count} waiting, the oldest for ${oldest}`,
    pausedBots: 'Paused bots',
    leases: 'Leases',
    leased: (bots, nodes) => `${bots} bots, held by ${nodes} nodes`,
    late: (count, oldest) => `${count} waiting, the oldest is ${oldest} late`,
    kinds: { mail: 'Mail', 'push messages': 'Push messages', text: 'Text inside files' },
    search: 'Search',
    notFound: (count) => `${count} messages cannot be found yet`,
    files: 'Files',
    failing: (times, duration) => `failing for ${duration}, ${times} times in a row`,
    backup: 'Last backup',
    backupOf: (age, place) => `${age} old: ${place}`,
    noBackup: 'none yet',
  },
  de: {
    ...formatsOf('de'),
    title: 'Serverstatus',
    asOf: (time, end) => `Stand: ${time}. Dieser Link gilt bis ${end}.`,
    lookAgain: 'Neu laden',
    nodes: 'Knoten',
    columns: ['Name', 'Version', 'Status', 'Rollen', 'Speicher', 'Freier Platz', 'Wartende Abfragen'],
    noNode: 'Noch hat sich kein Knoten gemeldet.',
    upFor: (duration) => `läuft seit ${duration}`,
    silentFor: (duration) => `keine Meldung seit ${duration}`,
    stopping: 'wird beendet',
    database: 'Datenbank',
    isStandby: 'Standby',
    connections: 'Verbindungen',
    of: (some, all) => `${some} von ${all}`,
    migrations: 'Migrationen',
    upToDate: 'auf dem neuesten Stand',
    changed: (names) => `geändert: ${names}`,
    pending: (names) => `noch nicht angewendet: ${names}`,
    newer: (names) => `von einer neueren Version: ${names}`,
    notShown: 'für diesen Benutzer nicht sichtbar: ihm fehlt pg_monitor',
    behind: (duration) => `${duration} zurück`,
    missing: (kilobytes) => `${kilobytes} KB des Protokolls fehlen`,
    work: 'Warteschlangen',
    deliveries: 'Webhook-Zustellungen',
    waiting: (count, oldest) => `${count} warten, die älteste seit ${oldest}`,
    pausedBots: 'Pausierte Bots',
    leases: 'Zuständigkeiten',
    leased: (bots, nodes) => `${bots} Bots bei ${nodes} Knoten`,
    late: (count, oldest) => `${count} warten, das älteste ist seit ${oldest} fällig`,
    kinds: { mail: 'E-Mail', 'push messages': 'Push-Nachrichten', text: 'Text in Dateien' },
    search: 'Suche',
    notFound: (count) => `${count} Nachrichten sind noch nicht zu finden`,
    files: 'Dateien',
    failing: (times, duration) => `schlägt seit ${duration} fehl, ${times}-mal hintereinander`,
    backup: 'Letzte Sicherung',
    backupOf: (age, place) => `${age} alt: ${place}`,
    noBackup: 'noch keine',
  },
}
