import { type Sql, sql } from './sql.ts'

/* Advisory locks that keep files in the store which nothing in the database, as others see it, refers to. Any numbers, the same everywhere. */

/** The holder makes a backup. */
export const BACKUP_LOCK = 7_265_540
/** Those who share it import files, and refer to them later. */
export const IMPORT_LOCK = 7_265_541

const isHeld = (lock: number): Sql => sql`exists (
  select from pg_locks where locktype = 'advisory' and classid = 0 and objid = ${lock} and objsubid = 1
    and database = (select oid from pg_database where datname = current_database()))`

/** Whether somebody makes a backup now; files that it may still want to read are not removed meanwhile. */
export const isBackupUnderWay = (): Sql => isHeld(BACKUP_LOCK)

/** Whether somebody imports now; files wait for their messages, however long that takes. */
export const isImportUnderWay = (): Sql => isHeld(IMPORT_LOCK)
