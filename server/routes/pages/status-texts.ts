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
  fr: {
    ...formatsOf('fr'),
    title: 'État du serveur',
    asOf: (time, end) => `Au ${time}. Ce lien expire le ${end}.`,
    lookAgain: 'Actualiser',
    nodes: 'Nœuds',
    columns: ['Nom', 'Version', 'État', 'Rôles', 'Mémoire', 'Disque libre', 'Interrogations en attente'],
    noNode: 'Aucun nœud ne s’est encore manifesté.',
    upFor: (duration) => `en marche depuis ${duration}`,
    silentFor: (duration) => `muet depuis ${duration}`,
    stopping: 'en cours d’arrêt',
    database: 'Base de données',
    isStandby: 'secours',
    connections: 'Connexions',
    of: (some, all) => `${some} sur ${all}`,
    migrations: 'Migrations',
    upToDate: 'à jour',
    changed: (names) => `modifiées : ${names}`,
    pending: (names) => `pas encore appliquées : ${names}`,
    newer: (names) => `d’une version plus récente : ${names}`,
    notShown: 'masqué à cet utilisateur de la base : accordez-lui pg_monitor',
    behind: (duration) => `${duration} de retard`,
    missing: (kilobytes) => `il manque ${kilobytes} Ko du journal`,
    work: 'Files d’attente',
    deliveries: 'Livraisons de webhooks',
    waiting: (count, oldest) => `${count} en attente, la plus ancienne depuis ${oldest}`,
    pausedBots: 'Bots en pause',
    leases: 'Attributions',
    leased: (bots, nodes) => `${bots} bots, tenus par ${nodes} nœuds`,
    late: (count, oldest) => `${count} en attente, retard maximal de ${oldest}`,
    kinds: { mail: 'E-mails', 'push messages': 'Notifications push', text: 'Texte des fichiers' },
    search: 'Recherche',
    notFound: (count) => `${count} messages pas encore trouvables`,
    files: 'Fichiers',
    failing: (times, duration) => `en échec depuis ${duration}, ${times} fois de suite`,
    backup: 'Dernière sauvegarde',
    backupOf: (age, place) => `il y a ${age} : ${place}`,
    noBackup: 'aucune pour l’instant',
  },
  es: {
    ...formatsOf('es'),
    title: 'Estado del servidor',
    asOf: (time, end) => `A fecha de ${time}. Este enlace caduca el ${end}.`,
    lookAgain: 'Actualizar',
    nodes: 'Nodos',
    columns: ['Nombre', 'Versión', 'Estado', 'Roles', 'Memoria', 'Disco libre', 'Sondeos en espera'],
    noNode: 'Ningún nodo se ha anunciado todavía.',
    upFor: (duration) => `en marcha desde hace ${duration}`,
    silentFor: (duration) => `en silencio desde hace ${duration}`,
    stopping: 'deteniéndose',
    database: 'Base de datos',
    isStandby: 'en reserva',
    connections: 'Conexiones',
    of: (some, all) => `${some} de ${all}`,
    migrations: 'Migraciones',
    upToDate: 'al día',
    changed: (names) => `cambiadas: ${names}`,
    pending: (names) => `aún sin aplicar: ${names}`,
    newer: (names) => `de una versión más reciente: ${names}`,
    notShown: 'oculto para este usuario de la base: concédele pg_monitor',
    behind: (duration) => `${duration} de retraso`,
    missing: (kilobytes) => `faltan ${kilobytes} KB del registro`,
    work: 'Colas',
    deliveries: 'Entregas de webhooks',
    waiting: (count, oldest) => `${count} en espera, la más antigua desde hace ${oldest}`,
    pausedBots: 'Bots en pausa',
    leases: 'Asignaciones',
    leased: (bots, nodes) => `${bots} bots en ${nodes} nodos`,
    late: (count, oldest) => `${count} en espera, con un retraso máximo de ${oldest}`,
    kinds: { mail: 'Correo', 'push messages': 'Notificaciones push', text: 'Texto de los archivos' },
    search: 'Búsqueda',
    notFound: (count) => `${count} mensajes aún no se pueden encontrar`,
    files: 'Archivos',
    failing: (times, duration) => `falla desde hace ${duration}, ${times} veces seguidas`,
    backup: 'Última copia de seguridad',
    backupOf: (age, place) => `de hace ${age}: ${place}`,
    noBackup: 'aún ninguna',
  },
}
