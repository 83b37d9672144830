import { sql } from './sql.ts'

/** Any number, the same everywhere: the holder of this advisory lock makes a backup. */
export const BACKUP_LOCK = 7_265_540

/** Whether somebody makes a backup now; files that it may still want to read are not removed meanwhile. */
export const isBackupUnderWay = () => sql`exists (
  select from pg_locks where locktype = 'advisory' and classid = 0 and objid = ${BACKUP_LOCK} and objsubid = 1
    and database = (select oid from pg_database where datname = current_database()))`
