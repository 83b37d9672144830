import { type Sql, sql } from './sql.ts'

/* Advisory locks that keep files in the store which nothing in the database, as others see it, refers to. Any numbers, the same everywhere. */

/** Held by the process that makes a backup. */
export const BACKUP_LOCK = 7_265_540
/** Held, shared, by imports, which store files before they refer to them. */
export const IMPORT_LOCK = 7_265_541

const isHeld = (lock: number): Sql => sql`exists (
  select from pg_locks where locktype = 'advisory' and classid = 0 and objid = ${lock} and objsubid = 1
    and database = (select oid from pg_database where datname = current_database()))`

/** Whether a backup runs. The sweep then keeps all files, because the backup may still read them. */
export const isBackupUnderWay = (): Sql => isHeld(BACKUP_LOCK)

/** Whether an import runs. Its files may wait long for their messages. */
export const isImportUnderWay = (): Sql => isHeld(IMPORT_LOCK)
