import type { Queryable } from '../db/database.ts'
import type { Notifications } from '../db/notifications.ts'
import { sql } from '../db/sql.ts'
import { OperatorError } from '../errors.ts'
import { readSetting } from '../queries/organization/installation.ts'
import { fingerprintOf, Secrets } from '../secrets.ts'
import { type KeyConfig, keyFile, loadSecretKeys, writeSecretKeys } from './key-file.ts'

export const KEY_CHANNEL = 'parley_secret_key'
export const FINGERPRINT = 'secret_key_fingerprint'
export const ROTATION = 'secret_key_rotation'
/** Advisory locks of this kind say which keys a node knows: the connection that holds one ends with its node. */
const LOCK_GROUP = 0x6b6579
const lockOf = (fingerprint: string): number => Number.parseInt(fingerprint.slice(0, 7), 16)

/** The last change of keys. It has ended once the former key is no longer needed. */
export type Rotation = {
  from: string
  to: string
  startedAt: number
  /** When the last signature of the former key expires. */
  until: number
  finishedAt?: number
}

export async function readRotation(db: Queryable): Promise<Rotation | undefined> {
  const text = await readSetting(db, ROTATION)
  return text === undefined ? undefined : JSON.parse(text)
}

/** Opens with the keys of this node, and with the one that the database says is in use; refuses where that is not known. */
export async function openSecrets(db: Queryable, config: KeyConfig): Promise<Secrets> {
  const secrets = new Secrets(...(await loadSecretKeys(config)))
  await db.query(sql`
    insert into settings (name, value) values (${FINGERPRINT}, ${secrets.fingerprint})
    on conflict (name) do nothing`)
  await refreshSecrets({ db, config, secrets })
  return secrets
}

type Parts = { db: Queryable; config: KeyConfig; secrets: Secrets }

/** The last reading of each node's secrets. */
const lastReadings = new WeakMap<Secrets, Promise<unknown>>()

/**
 * Reads keys and state again: another process may have changed either. One reading at a time, since several parts of a node ask for it:
 * an answer from before a change must not replace one from after it.
 */
export function refreshSecrets(parts: Parts): Promise<Rotation | undefined> {
  const before = lastReadings.get(parts.secrets) ?? Promise.resolve()
  const reading = before.catch(() => {}).then(() => readSecrets(parts))
  lastReadings.set(parts.secrets, reading)
  return reading
}

/** Reads the keys, and drops a former one that is no longer needed. */
async function readSecrets({ db, config, secrets }: Parts): Promise<Rotation | undefined> {
  const keys = await loadSecretKeys(config)
  // Read together, because one changes with the other.
  const rows = await db.query<{ name: string; value: string }>(
    sql`select name, value from settings where name in (${FINGERPRINT}, ${ROTATION})`,
  )
  const stored = new Map(rows.map(({ name, value }) => [name, value]))
  const current = stored.get(FINGERPRINT) ?? secrets.fingerprint
  const rotationText = stored.get(ROTATION)
  const rotation: Rotation | undefined = rotationText === undefined ? undefined : JSON.parse(rotationText)
  const isOver = rotation?.finishedAt !== undefined
  const needed = isOver ? keys.filter((key) => fingerprintOf(key) !== rotation.from) : keys
  if (!needed.some((key) => fingerprintOf(key) === current)) {
    throw new OperatorError(
      'The secret key is not the one this database was set up with. Set SECRET_KEY to the former key, or bring back secret.key in DATA_DIR. To change the key, set SECRET_KEY_PREVIOUS to the former one and run "parley secret-key rotate".',
    )
  }
  // The keys change in one step, because requests are served at the same time.
  secrets.know(needed)
  secrets.use({
    current,
    ...(rotation && !isOver && { retired: { fingerprint: rotation.from, at: rotation.startedAt } }),
    marksValues: rotation !== undefined,
  })
  if (needed.length < keys.length && config.secretKey === undefined)
    await writeSecretKeys(config.dataDir, needed)
  return rotation
}

/** Lets other nodes see which keys this node knows. */
export async function announceKeys(notifications: Notifications, secrets: Secrets): Promise<void> {
  for (const fingerprint of secrets.fingerprints) await notifications.hold(LOCK_GROUP, lockOf(fingerprint))
}

/** Addresses of nodes that do not know this key; `local` where they are on the machine of the database. */
export async function nodesWithout(db: Queryable, fingerprint: string): Promise<string[]> {
  const rows = await db.query<{ address: string }>(sql`
    select coalesce(host(a.client_addr), 'local') as address from pg_stat_activity a
    where a.datname = current_database() and a.application_name = 'parley-listen'
      and not exists (select from pg_locks l where l.pid = a.pid and l.locktype = 'advisory' and l.granted
        and l.classid::bigint = ${LOCK_GROUP} and l.objid::bigint = ${lockOf(fingerprint)})`)
  return rows.map(({ address }) => address)
}

export const keyPlace = (config: KeyConfig): string =>
  config.secretKey === undefined ? keyFile(config.dataDir) : 'SECRET_KEY'
