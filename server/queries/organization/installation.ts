import type { Config } from '../../config.ts'
import type { Queryable } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'

/** The setting with the address at which the server was last started. */
export const BASE_URL = 'base_url'

/** The setting that says whether agents may sign up, once the home organization has decided. */
export const AGENT_SIGNUP = 'agent_signup'

/**
 * The setting that names the home organization: its owners decide on what counts for the whole server, and newcomers of
 * single sign-on join it. Only an operator names it, which also means that the server has been set up.
 */
export const HOME_ORGANIZATION = 'home_organization'

export async function hasOrganization(db: Queryable): Promise<boolean> {
  const [row] = await db.query(sql`select 1 from organizations limit 1`)
  return row !== undefined
}

/** A setting of the whole installation. */
export async function readSetting(db: Queryable, name: string): Promise<string | undefined> {
  const [row] = await db.query<{ value: string }>(sql`select value from settings where name = ${name}`)
  return row?.value
}

/** The id of the home organization; undefined until an operator has set the server up. */
export const readHome = (db: Queryable): Promise<string | undefined> => readSetting(db, HOME_ORGANIZATION)

type SignupAccess = 'everybody' | 'this machine' | 'nobody'

/**
 * The visitors who may create organizations without an invitation: as set in the set-up or the console, or at the start
 * of the server. By default, visitors on this machine.
 */
export const readSignupAccess = async (
  db: Queryable,
  config: Pick<Config, 'agentSignup'>,
): Promise<SignupAccess> => (await readHomeAndSignups(db, config)).access

/** The home organization, undefined until an operator has set the server up, and who may create others. */
export async function readHomeAndSignups(
  db: Queryable,
  { agentSignup }: Pick<Config, 'agentSignup'>,
): Promise<{ home: string | undefined; access: SignupAccess }> {
  const rows = await db.query<{ name: string; value: string }>(sql`
    select name, value from settings where name in (${HOME_ORGANIZATION}, ${AGENT_SIGNUP})`)
  const settings = new Map(rows.map(({ name, value }) => [name, value]))
  const home = settings.get(HOME_ORGANIZATION)
  const decided = home === undefined ? undefined : settings.get(AGENT_SIGNUP)
  const isOpen = decided === undefined ? agentSignup : decided === 'on'
  if (isOpen === undefined) return { home, access: 'this machine' }
  return { home, access: isOpen ? 'everybody' : 'nobody' }
}

const DAY_MS = 86_400_000

/** Visitors who may sign up, the number of organizations, and how many of them were created in the last day. */
export async function readSignups(db: Queryable, config: Pick<Config, 'agentSignup'>, now: number) {
  const [row] = await db.query<{ organizations: number; lastDay: number }>(sql`
    select count(*) as organizations, count(*) filter (where created_at > ${now - DAY_MS}) as "lastDay" from organizations`)
  return { access: await readSignupAccess(db, config), organizations: 0, lastDay: 0, ...row }
}

/** Whether a server works on this database right now: each holds one connection that listens. */
export async function isServerRunning(db: Queryable): Promise<boolean> {
  const [row] = await db.query(sql`
    select 1 from pg_stat_activity where datname = current_database() and application_name = 'parley-listen' limit 1`)
  return row !== undefined
}
