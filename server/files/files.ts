import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import type { Database, Queryable } from '../db/database.ts'
import { IMPORT_LOCK, isBackupUnderWay, isImportUnderWay } from '../db/file-locks.ts'
import { nothing, type Sql, sql } from '../db/sql.ts'
import { refusal } from '../errors.ts'
import { newUuid } from '../ids.ts'
import type { Log } from '../log.ts'
import { readStorage } from '../queries/organization/file-quota.ts'
import type { NoteFailure } from '../worker.ts'
import { NoSuchFile, type Storage } from './storage/storage.ts'

export type StoredFile = { id: string; contentType: string; size: number }

/** A finished local file that is to be stored. */
export type NewFile = { path: string; contentType: string; size: number }

/** Longer than any request takes from registering a file to referring to it. */
const LOOSE_MS = 3_600_000
const SWEEP_BATCH = 100

/** A place in the order in which files are swept. */
type Swept = { id: string; at: number }

export const thumbnailKey = (id: string): string => `${id}.thumb`

/** Files in the store, and the register of them. Files that nothing refers to are removed. */
export class Files {
  readonly storage: Storage
  /** The folder of uploads until they are stored. */
  readonly incoming: string
  #db: Database
  #config: Pick<Config, 'storageQuotaMb'>
  #log: Log
  /** Files up to here had their turn in this sweep; undefined: it begins with the oldest. */
  #sweptTo: Swept | undefined

  constructor(db: Database, storage: Storage, config: Pick<Config, 'filesDir' | 'storageQuotaMb'>, log: Log) {
    this.#db = db
    this.storage = storage
    this.#config = config
    this.incoming = join(config.filesDir, 'incoming')
    this.#log = log
  }

  async open(): Promise<void> {
    await mkdir(this.incoming, { recursive: true, mode: 0o700 })
  }

  /**
   * Removes files of requests that a crash broke off. Call it only on a server that has the folder and the database to
   * itself: the files then belong to no request. If an import runs, the sweep removes them later.
   */
  async recover(): Promise<void> {
    await this.#db.transaction(async (tx) => {
      const [lock] = await tx.query<{ taken: boolean }>(
        sql`select pg_try_advisory_xact_lock(${IMPORT_LOCK}) as taken`,
      )
      if (!lock?.taken) return
      for (const name of await readdir(this.incoming)) {
        await rm(join(this.incoming, name), { recursive: true, force: true })
      }
      const now = tx.now()
      await tx.query(sql`update stored_files set sweep_at = ${now} where sweep_at > ${now}`)
    })
  }

  /** A path for a file that is being made; remove it when it was not stored. */
  draftPath(): string {
    return join(this.incoming, newUuid())
  }

  /**
   * Stores files that nothing refers to yet: `keepFiles` must follow within an hour, or under the lock of imports, or they are swept. All of them, or none, also where
   * they are more than the organization may have. Undefined: an organization that is still to be founded.
   */
  async store<File extends NewFile>(
    orgId: string | undefined,
    files: readonly File[],
  ): Promise<(File & { id: string })[]> {
    const stored = files.map((file) => ({ ...file, id: newUuid() }))
    await this.#db.transaction(async (tx) => {
      await tx.query(sql`
        insert into stored_files (id, org_id, content_type, size, sweep_at)
        select id, ${orgId}::uuid, content_type, size, ${tx.now() + LOOSE_MS}
        from unnest(${stored.map(({ id }) => id)}::uuid[], ${stored.map(({ contentType }) => contentType)}::text[],
          ${stored.map(({ size }) => size)}::bigint[]) as x (id, content_type, size)`)
      if (orgId === undefined) return
      // Counted by now, and its row locked until the end of this: uploads at the same time cannot pass together.
      const { usedBytes, quotaBytes } = await readStorage({ orgId }, tx, this.#config)
      if (quotaBytes !== null && usedBytes > quotaBytes) throw refusal('storage_quota_exceeded')
    })
    const puts = await Promise.allSettled(
      stored.map(({ id, path, contentType }) => this.storage.put(id, path, contentType)),
    )
    const failed = puts.find((put) => put.status === 'rejected')
    if (!failed) return stored
    await this.discard(stored) // only now: a put that is still under way would outlive it
    throw failed.reason
  }

  /** Replaces a stored file by an image with a thumbnail, unless the file is gone. */
  async replace(id: string, { path, contentType, size }: NewFile, thumbnail: string): Promise<void> {
    await this.storage.put(thumbnailKey(id), thumbnail, 'image/webp')
    await this.storage.put(id, path, contentType)
    const there = await this.#db.query(sql`
      update stored_files set content_type = ${contentType}, size = ${size} where id = ${id} returning id`)
    if (there.length > 0) return
    await this.#removeContent(id) // nothing may be in the store that the register does not know
    throw new NoSuchFile(`file ${id} was removed meanwhile`)
  }

  async relabel(id: string, contentType: string): Promise<void> {
    await this.#db.query(sql`update stored_files set content_type = ${contentType} where id = ${id}`)
  }

  /** Removes files stored for a request that did not keep them. */
  async discard(files: readonly Pick<StoredFile, 'id'>[]): Promise<void> {
    if (files.length === 0) return
    try {
      const { failures } = await this.#remove(
        sql`id = any(${files.map(({ id }) => id)}::uuid[]) and sweep_at is not null`,
      )
      if (failures.length > 0) throw failures[0]
    } catch (error) {
      this.#log.warn({ err: error }, 'files of a refused request are still there; the sweep removes them')
    }
  }

  /** Removes what nothing refers to any more, and what crashed uploads left behind. */
  async sweep(noteFailure: NoteFailure = () => {}): Promise<void> {
    const now = this.#db.clock()
    // A backup that is being made shows the moment when it began: files of that moment stay until it has them.
    const condition = sql`sweep_at <= ${now} and not ${isBackupUnderWay()} and not ${isImportUnderWay()}`
    for (;;) {
      const behind = this.#sweptTo
        ? sql`and (sweep_at, id) > (${this.#sweptTo.at}, ${this.#sweptTo.id})`
        : nothing
      const { last, found, failures } = await this.#remove(sql`${condition} ${behind}`)
      for (const failure of failures) noteFailure(failure)
      this.#sweptTo = found === SWEEP_BATCH ? last : undefined
      // A store that removes nothing is tried again in the next sweep, which continues after these.
      if (found < SWEEP_BATCH || failures.length === found) break
    }
    await this.#sweepIncoming()
  }

  /**
   * Removes the files of an organization that nothing refers to any more. Returns how many are left: a backup that is being made still
   * reads them, or another node is at them.
   */
  async removeAllOf(orgId: string): Promise<number> {
    for (;;) {
      const { found, failures } = await this.#remove(
        sql`org_id = ${orgId} and sweep_at is not null and not ${isBackupUnderWay()}`,
      )
      if (failures.length > 0) throw failures[0]
      if (found < SWEEP_BATCH) break
    }
    const [row] = await this.#db.query<{ files: number }>(
      sql`select count(*) as files from stored_files where org_id = ${orgId}`,
    )
    return row?.files ?? 0
  }

  /** Removes the content first: a crash in between leaves the entry, which the next sweep finds. */
  #remove(condition: Sql): Promise<{ last?: Swept | undefined; found: number; failures: unknown[] }> {
    return this.#db.transaction(async (tx) => {
      const rows = await tx.query<Swept>(sql`
        select id, sweep_at as at from stored_files where ${condition}
        order by sweep_at, id limit ${SWEEP_BATCH} for update skip locked`)
      if (rows.length === 0) return { found: 0, failures: [] }
      const removed = await Promise.allSettled(rows.map(({ id }) => this.#removeContent(id)))
      const ids = rows.filter((_, index) => removed[index]?.status === 'fulfilled').map(({ id }) => id)
      await tx.query(sql`delete from stored_files where id = any(${ids}::uuid[])`)
      const failures = removed.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
      return { last: rows.at(-1), found: rows.length, failures }
    })
  }

  async #removeContent(id: string): Promise<void> {
    await Promise.all([this.storage.remove(id), this.storage.remove(thumbnailKey(id))])
  }

  async #sweepIncoming(): Promise<void> {
    for (const name of await readdir(this.incoming)) {
      const path = join(this.incoming, name)
      const age = await stat(path).then(
        ({ mtimeMs }) => Date.now() - mtimeMs,
        () => 0,
      )
      if (age > LOOSE_MS) await rm(path, { recursive: true, force: true })
    }
  }
}

/** Marks files as referred to by this organization, so that the sweep keeps them. */
export async function keepFiles(tx: Queryable & { orgId: string }, ids: readonly string[]): Promise<void> {
  const kept = await tx.query(sql`
    update stored_files set sweep_at = null, org_id = ${tx.orgId} where id = any(${ids}::uuid[]) returning id`)
  if (kept.length !== ids.length) throw new Error('a file was swept before it was used')
}

/** Counts one more message that refers to these files. */
export async function shareFiles(tx: Queryable, ids: readonly string[]): Promise<void> {
  await tx.query(sql`update stored_files set shares = shares + 1 where id = any(${ids}::uuid[])`)
}

/** Something no longer refers to these; files without any reference left are swept. */
export async function releaseFiles(tx: Queryable & { now(): number }, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await tx.query(sql`
    update stored_files set shares = greatest(shares - 1, 0), sweep_at = case when shares = 0 then ${tx.now()}::bigint end
    where id = any(${ids}::uuid[])`)
}

export async function findFile(db: Queryable, orgId: string, id: string): Promise<StoredFile | undefined> {
  const [row] = await db.query<StoredFile>(sql`
    select id, content_type as "contentType", size from stored_files
    where id = ${id} and org_id = ${orgId} and sweep_at is null`)
  return row
}
