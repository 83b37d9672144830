import { OperatorError, Refusal } from '../errors.ts'

/** The command line itself is wrong: exit code 2. Anything else that is refused exits with 1. */
export class UsageError extends OperatorError {
  override name = 'UsageError'
}

/** Codes of PostgreSQL and the network, in words that name the fix. `%` stands for the database's place. */
const DATABASE_TROUBLE: Record<string, string> = {
  ECONNREFUSED: 'PostgreSQL does not answer at %. Start it, or correct DATABASE_URL.',
  ENOTFOUND: 'The host of % is not known. Correct DATABASE_URL.',
  EAI_AGAIN: 'The host of % could not be looked up. Check the network, or correct DATABASE_URL.',
  ETIMEDOUT: 'PostgreSQL does not answer at %. Check the network and the firewall, or correct DATABASE_URL.',
  EHOSTUNREACH: 'There is no way to %. Check the network, or correct DATABASE_URL.',
  ECONNRESET: 'PostgreSQL at % closed the connection. Is it restarting? Try again.',
  '08P01':
    'What answers at % does not take how Parley speaks to PostgreSQL. If it is a pooler, such as pgbouncer, set DATABASE_DIRECT_URL to the address of PostgreSQL itself.',
  '25006':
    'PostgreSQL at % takes no writes: it is a standby. Promote one of the hosts, or correct DATABASE_URL.',
  '28P01': 'PostgreSQL at % refuses the password. Correct the user or the password in DATABASE_URL.',
  '28000': 'PostgreSQL at % refuses this user. Correct DATABASE_URL, or allow it in pg_hba.conf.',
  '3D000': 'There is no such database at %. Create it with createdb, or correct DATABASE_URL.',
  '42501':
    'The user of DATABASE_URL may not do this at %. Make it the owner of the database: alter database … owner to …',
  '53300': 'PostgreSQL at % has no free connection. Raise max_connections there, or stop what uses it.',
  '53100': 'The disk of PostgreSQL at % is full. Make room there.',
  '57P01': 'PostgreSQL at % was shut down meanwhile. Try again.',
  '57P03': 'PostgreSQL at % is still starting. Try again in a moment.',
}

/** The message for the operator; undefined for a fault of ours, which deserves its stack. */
export function explain(error: unknown, database: string): string | undefined {
  if (error instanceof OperatorError || error instanceof Refusal) return error.message
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return DATABASE_TROUBLE[code]?.replace('%', () => database)
}

/** Host and database of DATABASE_URL, never its password. By hand: `URL` refuses one whose host is a socket's folder. */
export function describeDatabase(databaseUrl: string | undefined): string {
  if (databaseUrl === undefined) return 'the embedded database'
  const [address = '', query = ''] = databaseUrl.replace(/^\w+:\/\//, '').split('?', 2)
  const [host, name = ''] = address.slice(address.lastIndexOf('@') + 1).split('/', 2)
  return `${host || new URLSearchParams(query).get('host') || 'localhost'}/${name}`
}
