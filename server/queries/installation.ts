import type { Config } from '../config.ts'
import type { Queryable } from '../db/database.ts'
import { sql } from '../db/sql.ts'

/** The setting that holds the address the server was last started at. */
export const BASE_URL = 'base_url'

/** The setting that says whether agents may sign up, once somebody has decided. */
export const AGENT_SIGNUP = 'agent_signup'

export async function hasOrganization(db: Queryable): Promise<boolean> {
  const [row] = await db.query(sql`select 1 from organizations limit 1`)
  return row !== undefined
}

/** A fact about the whole installation. */
export async function readSetting(db: Queryable, name: string): Promise<string | undefined> {
  const [row] = await db.query<{ value: string }>(sql`select value from settings where name = ${name}`)
  return row?.value
}

/** Whether agents may create organizations: as the console says, or as the server was started. */
export async function isSignupOpen(
  db: Queryable,
  { agentSignup }: Pick<Config, 'agentSignup'>,
): Promise<boolean> {
  const decided = await readSetting(db, AGENT_SIGNUP)
  return decided === undefined ? agentSignup : decided === 'on'
}

/** Whether a server works on this database right now: each holds one connection that listens. */
export async function isServerRunning(db: Queryable): Promise<boolean> {
  const [row] = await db.query(sql`
    select 1 from pg_stat_activity where datname = current_database() and application_name = 'parley-listen' limit 1`)
  return row !== undefined
}
