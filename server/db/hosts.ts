/** One of several servers with the same database. */
export type Host = { host: string; port: number }

const DEFAULT_PORT = 5432
/** Kinds of servers that a URL may ask for. Parley writes, so it always looks for a writable one. */
export const WANTED_SERVERS: readonly string[] = ['any', 'read-write', 'primary']

/** The `target_session_attrs` of the URL, if any. */
export const wantedServer = (url: string): string | undefined =>
  new URLSearchParams(url.split('?', 2)[1]).get('target_session_attrs') ?? undefined

/** `URL` accepts no list of hosts, so this expression takes the authority apart. */
const AUTHORITY = /^(\w+:\/\/(?:[^/?]*@)?)([^/?@]+)(?=[/?]|$)/

const placesOf = (url: string): string[] => AUTHORITY.exec(url)?.[2]?.split(',') ?? []

/** Empty if the URL names a socket instead of a host. */
export const hostsOf = (url: string): Host[] => placesOf(url).map(readHost)

/** The URL in the driver's form. */
export const withFirstHost = (url: string): string =>
  url.replace(AUTHORITY, (_, before: string) => before + (placesOf(url)[0] ?? ''))

export function readHost(text: string): Host {
  const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:]*))(?::(\d+))?$/.exec(text) ?? []
  return { host: bracketed ?? (plain || 'localhost'), port: port ? Number(port) : DEFAULT_PORT }
}
