import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../config.ts'
import type { Clock, Database, Queryable } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import { OperatorError } from '../errors.ts'
import { Secrets } from '../secrets.ts'
import { loadSecretKeys, newSecretKey, writeSecretKeys } from './key-file.ts'
import {
  FINGERPRINT,
  KEY_CHANNEL,
  keyPlace,
  nodesWithout,
  ROTATION,
  type Rotation,
  readRotation,
  refreshSecrets,
} from './key-state.ts'
import { countOutdated, reEncrypt } from './re-encrypt.ts'

const DAY_MS = 86_400_000
/** Nodes read their keys on request, which takes them a moment. */
const PATIENCE_MS = 15_000
const LOOK_MS = 100
/** Values that a slow transaction still wrote with the former key are found by the next pass. */
const MAX_PASSES = 20

type Parts = { db: Database; config: Config; secrets: Secrets; clock: Clock }

export type RotationState = {
  state: 'none' | 're-encrypting' | 'waiting' | 'finished'
  fingerprint: string
  former?: string
  startedAt?: number
  /** Values that still need the former key. */
  remaining: number
  /** The time until which the former key is needed for what it has signed. */
  formerUntil?: number
}

export async function readRotationState({
  db,
  secrets,
}: Pick<Parts, 'db' | 'secrets'>): Promise<RotationState> {
  const rotation = await readRotation(db)
  const { fingerprint } = secrets
  if (!rotation) return { state: 'none', fingerprint, remaining: 0 }
  const { from: former, startedAt, until, finishedAt } = rotation
  if (finishedAt !== undefined) return { state: 'finished', fingerprint, former, startedAt, remaining: 0 }
  const remaining = await countOutdated(db, secrets)
  const state = remaining > 0 ? 're-encrypting' : 'waiting'
  return { state, fingerprint, former, startedAt, remaining, formerUntil: until }
}

/** Begins to replace the secret key, or continues an interrupted change. */
export async function rotateSecretKey(parts: Parts): Promise<RotationState> {
  const rotation = await refreshSecrets(parts)
  if (!rotation || rotation.finishedAt !== undefined) await beginRotation(parts)
  await continueRotation(parts)
  return readRotationState(parts)
}

async function beginRotation(parts: Parts): Promise<void> {
  const { db, config, secrets } = parts
  const to = new Secrets(await newestKey(parts)).fingerprint
  await tellNodes(db)
  await waitForNodes(db, to, keyPlace(config))
  const startedAt = parts.clock()
  const rotation: Rotation = {
    from: secrets.fingerprint,
    to,
    startedAt,
    until: startedAt + (await longestLife(db, config)),
  }
  // The switch is atomic: of two commands that begin at once, the first one wins.
  await db.query(sql`
    with switched as (
      update settings set value = ${to} where name = ${FINGERPRINT} and value = ${rotation.from} returning 1
    )
    insert into settings (name, value) select ${ROTATION}, ${JSON.stringify(rotation)} from switched
    on conflict (name) do update set value = excluded.value`)
  await refreshSecrets(parts)
  await tellNodes(db)
}

/** The next key: one that is present already, or a new one in the file. */
async function newestKey({ config, secrets }: Parts): Promise<string> {
  const [newest, ...others] = await loadSecretKeys(config)
  if (new Secrets(newest).fingerprint !== secrets.fingerprint) return newest
  if (config.secretKey !== undefined) {
    throw new OperatorError(
      `SECRET_KEY comes from the environment, so the new key must be put there first. On every node set SECRET_KEY to a new key, such as ${newSecretKey()}, set SECRET_KEY_PREVIOUS to the present one, and restart it. Then run this command again.`,
    )
  }
  const key = newSecretKey()
  await writeSecretKeys(config.dataDir, [key, newest, ...others])
  return key
}

const tellNodes = (db: Queryable) => db.query(sql`select pg_notify(${KEY_CHANNEL}, '')`)

/** Waits until all nodes know the key, so that none gets a value that it cannot read. */
async function waitForNodes(db: Queryable, fingerprint: string, place: string): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS
  for (;;) {
    const without = await nodesWithout(db, fingerprint)
    if (without.length === 0) return
    if (performance.now() > deadline) {
      throw new OperatorError(
        `Nothing was changed: ${without.length} running node(s) do not know the new key (${without.join(', ')}). Give them the new ${place} too, and run this command again.`,
      )
    }
    await sleep(LOOK_MS)
  }
}

/** How long what the former key has signed is good for: tokens, links to files, and offsets of polling. */
async function longestLife(db: Queryable, config: Config): Promise<number> {
  const [row] = await db.query<{ days: number | null }>(
    sql`select max(greatest(retention_days, retention_days_ceiling)) as days from organizations`,
  )
  const retentionMs = Math.max(config.updatesRetentionMs, (row?.days ?? 0) * DAY_MS)
  return Math.max(config.accessTokenSeconds * 1000, config.linkSeconds * 1000, retentionMs)
}

/** Encrypts the remaining values with the new key, and drops the former key once it is no longer needed. */
export async function continueRotation(parts: Parts): Promise<void> {
  const { db, secrets, clock } = parts
  const rotation = await refreshSecrets(parts)
  if (!rotation || rotation.finishedAt !== undefined) return
  let remaining = await countOutdated(db, secrets)
  for (let pass = 0; remaining > 0 && pass < MAX_PASSES; pass++) {
    await reEncrypt(db, secrets)
    remaining = await countOutdated(db, secrets)
  }
  if (remaining > 0 || clock() < rotation.until) return
  const finished = JSON.stringify({ ...rotation, finishedAt: clock() })
  await db.query(sql`
    update settings set value = ${finished} where name = ${ROTATION} and value = ${JSON.stringify(rotation)}`)
  await refreshSecrets(parts)
  await tellNodes(db)
}
