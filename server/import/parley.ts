import { mkdir } from 'node:fs/promises'
import pg from 'pg'
import { SECRET_BITS } from '../actions/bots/bots.ts'
import { audit, OPERATOR } from '../actions/organization/audit.ts'
import { bytesOf, type Entry, jsonOf, readArchive } from '../backup/archive.ts'
import { connect, FILES } from '../backup/backup.ts'
import { DamagedBackup } from '../backup/byte-reader.ts'
import type { Place } from '../backup/places.ts'
import { storeFile } from '../backup/restore.ts'
import { cancelWhenStopped } from '../db/cancel.ts'
import type { Database } from '../db/database.ts'
import { IMPORT_LOCK } from '../db/file-locks.ts'
import { sql } from '../db/sql.ts'
import { OperatorError } from '../errors.ts'
import { FORMAT, MANIFEST, type Manifest, RECORDS, SUMMARY, type Summary } from '../export/export.ts'
import { fieldOf, RECORD_KINDS, type RecordKind } from '../export/records.ts'
import type { Storage } from '../files/storage/storage.ts'
import { newUuid, randomToken, tickOf } from '../ids.ts'
import { type LongWork, UNSEEN } from '../long-work.ts'
import type { Secrets } from '../secrets.ts'
import { RecordChecks } from './check-records.ts'

export type CheckedExport = { manifest: Manifest; summary: Summary }

export type ImportTarget = {
  db: Database
  secrets: Secrets
  storage: Storage
  /** The folder for files that are about to be stored. */
  incoming: string
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const FILE_KEY = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(\.thumb)?$/
/** Files of an aborted import are swept after this time. */
const LOOSE_MS = 24 * 3_600_000

/**
 * Reads an export from its first byte to its last, and refuses one that is not whole, that this version does not know, or with records that no
 * request could have made.
 */
export async function checkExport(
  place: Place,
  now: number,
  work: LongWork = UNSEEN,
): Promise<CheckedExport> {
  let manifest: Manifest | undefined
  let checks: RecordChecks | undefined
  let summary: Summary | undefined
  const records: Record<string, number> = Object.fromEntries(RECORD_KINDS.map(({ name }) => [name, 0]))
  let files = 0
  const visit = async (entry: Entry): Promise<void> => {
    if (entry.name === MANIFEST) {
      manifest = refuseUnknown(await jsonOf(entry))
      checks = new RecordChecks(manifest.fields, now)
    } else if (manifest === undefined) throw new DamagedBackup('it does not begin as one')
    else if (entry.name === SUMMARY) summary = Object(await jsonOf(entry))
    else if (entry.name.startsWith(FILES)) files += 1
    else if (entry.name.startsWith(RECORDS)) {
      const kind = kindOf(entry)
      const lines = await linesOf(entry)
      checks?.check(kind, lines)
      records[kind.name] = (records[kind.name] ?? 0) + lines.length
    }
  }
  await readExport(place, visit, { work, part: 'Checking' })
  const isWhole =
    summary?.files === files &&
    Object.entries(records).every(([name, count]) => (summary?.records?.[name] ?? 0) === count)
  if (!manifest || !summary || !isWhole) throw damaged(place, 'it does not hold what it says')
  if (checks?.refusal !== undefined) throw damaged(place, checks.refusal)
  return { manifest, summary }
}

function refuseUnknown(found: unknown): Manifest {
  const manifest: Manifest = Object(found)
  const { organization, fields } = manifest
  if (!UUID.test(Object(organization).id)) throw new DamagedBackup('it does not say whose it is')
  const isKnown = Object.entries(Object(fields)).every(([name, of]) => {
    const kind = RECORD_KINDS.find((one) => one.name === name)
    const known = kind && [...kind.columns.map(fieldOf), ...Object.keys(kind.told ?? {})]
    return known && Array.isArray(of) && of.every((field) => known.includes(field))
  })
  if (manifest.format === FORMAT && isKnown) return manifest
  throw new OperatorError(
    `The export was made by a newer version of Parley (${manifest.parleyVersion}) than this one. Import it with that version, or a later one.`,
  )
}

async function readExport(
  place: Place,
  visit: (entry: Entry) => Promise<void>,
  progress: Parameters<typeof readArchive>[3],
): Promise<void> {
  try {
    await readArchive(place, undefined, visit, progress)
  } catch (error) {
    throw error instanceof DamagedBackup ? damaged(place, error.message) : error
  }
}

const damaged = (place: Place, reason: string): OperatorError =>
  new OperatorError(`${place.name} is no whole export of Parley: ${reason}. Nothing was done with it.`)

function kindOf({ name }: Pick<Entry, 'name'>): RecordKind {
  const kind = RECORD_KINDS.find((one) => name.startsWith(`${RECORDS}${one.name}/`))
  if (!kind) throw new DamagedBackup(`it has records of a kind that nobody knows: ${name}`)
  return kind
}

const linesOf = async (entry: Entry): Promise<string[]> =>
  (await bytesOf(entry)).toString('utf8').split('\n').filter(Boolean)

/** Refuses an organization that exists here: the records of both could not be told apart. */
export async function refuseKnown(db: Database, { organization }: Manifest): Promise<void> {
  const [known] = await db.query<{ name: string }>(
    sql`select name from organizations where org_id = ${organization.id}`,
  )
  if (!known) return
  throw new OperatorError(
    `"${known.name}" (${organization.id}) is on this server already. An export is taken in where the organization is not.`,
  )
}

/**
 * Takes an organization in, with the ids that it had. The database holds all of it or nothing: rows are committed at the end, when the
 * files are in the store, and files of an import that broke off are swept.
 */
export async function importOrganization(
  target: ImportTarget,
  place: Place,
  { manifest }: CheckedExport,
  work: LongWork = UNSEEN,
): Promise<void> {
  await mkdir(target.incoming, { recursive: true, mode: 0o700 })
  const client = await connect(target.db.config)
  try {
    await client.query('begin')
    await client.query('select pg_advisory_xact_lock_shared($1)', [IMPORT_LOCK])
    await cancelWhenStopped(client, target.db.config, work, () =>
      new Intake(target, client, manifest).run(place, work),
    )
    await client.query('commit')
  } catch (error) {
    const isDamaged =
      error instanceof DamagedBackup || (error instanceof pg.DatabaseError && isAboutValues(error))
    throw isDamaged ? damaged(place, error.message) : error
  } finally {
    await client.end()
  }
  await noteImport(target.db, manifest)
}

/** SQL states of class 22 (invalid value) and 23 (violated constraint). */
const isAboutValues = ({ code = '' }: pg.DatabaseError): boolean => /^2[23]/.test(code)

class Intake {
  readonly #target: ImportTarget
  readonly #client: pg.Client
  readonly #manifest: Manifest
  readonly #orgId: string
  readonly #contentTypes = new Map<string, string>()
  readonly #checks: RecordChecks
  #hasNoted = false

  constructor(target: ImportTarget, client: pg.Client, manifest: Manifest) {
    this.#target = target
    this.#client = client
    this.#manifest = manifest
    this.#orgId = manifest.organization.id
    this.#checks = new RecordChecks(manifest.fields, target.db.clock())
  }

  async run(place: Place, work: LongWork): Promise<void> {
    const visit = async (entry: Entry): Promise<void> => {
      if (entry.name.startsWith(RECORDS)) await this.#takeRecords(kindOf(entry), await linesOf(entry))
      else if (entry.name.startsWith(FILES)) await this.#storeFile(entry)
    }
    await readExport(place, visit, { work, part: 'Importing' })
    work.begin('Finishing')
    await this.#forgetFollowers()
    await this.#keepFiles()
    await this.#goOnAfter()
  }

  /** Everything made from now on has a later id, even if the clock of the other server was ahead. */
  async #goOnAfter(): Promise<void> {
    const { rows } = await this.#client.query<{ id: string }>(
      `(select id from messages where org_id = $1 order by id desc limit 1)
       union all (select id from audit_log where org_id = $1 order by id desc limit 1)`,
      [this.#orgId],
    )
    for (const { ms, count } of rows.map(({ id }) => tickOf(id)))
      await this.#client.query(
        'update organization_logs set last_tick = greatest(last_tick, ($2::bigint << 12) | $3) where org_id = $1',
        [this.#orgId, ms, count],
      )
  }

  async #takeRecords(kind: RecordKind, lines: readonly string[]): Promise<void> {
    this.#checks.check(kind, lines)
    if (this.#checks.refusal !== undefined) throw new DamagedBackup(this.#checks.refusal)
    if (kind.table === 'messages') await this.#noteFollowers()
    if (kind.table === 'stored_files') return this.#registerFiles(lines)
    if (kind.table === 'profiles')
      return this.#insert(kind, await this.#withAccounts(lines), ['account_id', 'needs_proof'])
    if (kind.table === 'bots' || kind.table === 'webhook_addresses') {
      await this.#insert(kind, this.#withSecrets(lines), [
        'secret',
        'webhook_paused_at',
        'webhook_pause_reason',
      ])
      if (kind.table === 'webhook_addresses') return
      await this.#client.query(
        'insert into bot_directory (bot_id, org_id) select id, org_id from bots where org_id = $1 on conflict do nothing',
        [this.#orgId],
      )
      return
    }
    await this.#insert(kind, lines)
    if (kind.table !== 'organizations') return
    await this.#client.query('insert into organization_logs (org_id) values ($1)', [this.#orgId])
  }

  /** Lines are passed on unchanged, because the database reads what it wrote. Missing columns get their default. */
  async #insert(kind: RecordKind, lines: readonly string[], added: readonly string[] = []): Promise<void> {
    const told = this.#manifest.fields[kind.name] ?? []
    const columns = [...kind.columns.filter((column) => told.includes(fieldOf(column))), ...added]
    const { rows } = await this.#client.query<{ name: string; type: string }>(
      `select attname::text as name, format_type(atttypid, atttypmod) as type from pg_attribute
       where attrelid = to_regclass($1) and attnum > 0`,
      [kind.table],
    )
    const types = new Map(rows.map(({ name, type }) => [name, type]))
    const fields = columns.map((column) => `"${fieldOf(column)}" ${types.get(column)}`)
    await this.#client.query(
      `insert into ${kind.table} (org_id, ${columns.join(', ')})
       select $1, x.* from json_to_recordset($2::json) as x (${fields.join(', ')})`,
      [this.#orgId, `[${lines.join(',')}]`],
    )
  }

  /**
   * All organizations that know an address share its account; people without one get one without a password. An account
   * with an unproven address may be a stranger's: it opens nothing of this import before the proof.
   */
  async #withAccounts(lines: readonly string[]): Promise<string[]> {
    const records = lines.map((line) => Object(parse(line)))
    const people = records.filter(({ hasAccount, emailKey }) => hasAccount === true && emailKey)
    const { rows } = await this.#client.query<{ id: string; key: string; isProven: boolean }>(
      `insert into accounts (id, email, email_key, created_at)
       select x.* from unnest($1::uuid[], $2::text[], $3::text[], $4::bigint[]) as x
       on conflict (email_key) do update set email_key = excluded.email_key
       returning id, email_key as key, email_proven as "isProven"`,
      [
        people.map(() => newUuid()),
        people.map(({ email }) => email),
        people.map(({ emailKey }) => emailKey),
        people.map(() => this.#target.db.clock()),
      ],
    )
    const accounts = new Map(rows.map((account) => [account.key, account]))
    return records.map((record) => {
      const account = record.hasAccount ? accounts.get(record.emailKey) : undefined
      const needsProof = account !== undefined && !account.isProven
      return JSON.stringify({ ...record, accountId: account?.id ?? null, needsProof })
    })
  }

  /** An export holds no secrets. Each bot gets a random one, and its webhook stays paused until that is replaced. */
  #withSecrets(lines: readonly string[]): string[] {
    return lines.map((line) => {
      const record = Object(parse(line))
      const secret = this.#target.secrets.encrypt(randomToken(SECRET_BITS), String(record.id))
      const pausedAt = record.webhookUrl ? this.#target.db.clock() : null
      return JSON.stringify({
        ...record,
        secret: `\\x${Buffer.from(secret).toString('hex')}`,
        webhookPausedAt: pausedAt,
        webhookPauseReason: pausedAt && 'imported',
      })
    })
  }

  /** Registers files before storing them, so that an aborted import is swept. */
  async #registerFiles(lines: readonly string[]): Promise<void> {
    const files = lines.map((line) => Object(parse(line)))
    const registered = await this.#target.db.query(sql`
      insert into stored_files (id, content_type, size, sweep_at)
      select x.*, ${this.#target.db.clock() + LOOSE_MS} from unnest(${files.map(({ id }) => id)}::uuid[],
        ${files.map(({ contentType }) => contentType)}::text[], ${files.map(({ size }) => size)}::bigint[]) as x
      on conflict (id) do update set sweep_at = excluded.sweep_at where stored_files.sweep_at is not null and stored_files.org_id is null
      returning id`)
    if (registered.length !== files.length)
      throw new DamagedBackup('this server has a file of it in another organization')
    for (const { id, contentType } of files) this.#contentTypes.set(id, contentType)
  }

  async #storeFile(entry: Entry): Promise<void> {
    const key = entry.name.slice(FILES.length)
    const contentType = this.#contentTypes.get(key.slice(0, 36))
    if (!FILE_KEY.test(key) || contentType === undefined)
      throw new DamagedBackup(`it has a file that nothing tells of: ${entry.name}`)
    await storeFile(this.#target, entry, key.endsWith('.thumb') ? 'image/webp' : contentType)
  }

  /**
   * A trigger makes people follow the threads of added messages, but the export has its own followers. They are
   * inserted before the messages, so that the trigger finds nothing to do instead of changing one row for each reply.
   */
  async #noteFollowers(): Promise<void> {
    if (this.#hasNoted) return
    this.#hasNoted = true
    await this.#client.query(
      `create temporary table exported_follows on commit drop as
       select profile_id, parent_id from thread_follows where org_id = '${this.#orgId}'`,
    )
    await this.#client.query('analyze exported_follows')
  }

  async #forgetFollowers(): Promise<void> {
    if (!this.#hasNoted) return
    await this.#client.query(
      `with exported as materialized (select profile_id, parent_id from exported_follows)
       delete from thread_follows f where org_id = $1 and not exists (
         select from exported e where e.profile_id = f.profile_id and e.parent_id = f.parent_id)`,
      [this.#orgId],
    )
  }

  /** A forged export must not reveal files of other organizations. */
  async #keepFiles(): Promise<void> {
    await this.#client.query(
      'update stored_files set sweep_at = null, org_id = $1, shares = 0 where id = any($2::uuid[])',
      [this.#orgId, [...this.#contentTypes.keys()]],
    )
    await this.#client.query(
      `update stored_files f set shares = used.count - 1 from (
         select id, count(*) from (
           select a ->> 'id' as id from messages x, jsonb_array_elements(x.attachments) a
           where x.org_id = $1 and jsonb_typeof(x.attachments) = 'array'
           union all select details -> 'preview' ->> 'imageId' from messages
           where org_id = $1 and details -> 'preview' ->> 'imageId' is not null
           union all select unnest(file_ids)::text from held_records where org_id = $1
         ) each_use group by 1 having count(*) > 1
       ) used where f.org_id = $1 and f.id::text = used.id`,
      [this.#orgId],
    )
    const { rows } = await this.#client.query(
      `select from (
         select logo_file_id::text from organizations where org_id = $1
         union all select file_id::text from custom_emoji where org_id = $1
         union all select photo_file_id::text from profiles where org_id = $1
         union all select cover_file_id::text from topics where org_id = $1
         union all select a ->> 'id' from messages x, jsonb_array_elements(x.attachments) a
           where x.org_id = $1 and jsonb_typeof(x.attachments) = 'array'
         union all select details -> 'preview' ->> 'imageId' from messages where org_id = $1
         union all select unnest(file_ids)::text from held_records where org_id = $1
       ) used (id) join stored_files f on f.id::text = used.id and f.org_id is distinct from $1 limit 1`,
      [this.#orgId],
    )
    if (rows.length > 0) throw new DamagedBackup('it refers to files of another organization')
  }
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    throw new DamagedBackup('a record is no JSON')
  }
}

async function noteImport(db: Database, { organization, parleyVersion }: Manifest): Promise<void> {
  await db.write(organization.id, (tx) =>
    audit(tx, OPERATOR, {
      action: 'organization.imported',
      target: { type: 'organization', ...organization },
      changes: [{ field: 'format', to: `parley ${parleyVersion}` }],
    }),
  )
}
