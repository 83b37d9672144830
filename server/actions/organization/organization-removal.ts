import { SESSIONS_CHANNEL } from '../../auth/callers.ts'
import { identityChanged } from '../../auth/identity.ts'
import type { Database } from '../../db/database.ts'
import { literal, sql, verbatim } from '../../db/sql.ts'
import type { Transaction } from '../../db/transaction.ts'
import { OperatorError } from '../../errors.ts'
import type { Files } from '../../files/files.ts'
import { type LongWork, UNSEEN } from '../../long-work.ts'
import { readHome } from '../../queries/organization/installation.ts'
import type { OrganizationSize } from '../../queries/organization/organization-size.ts'
import { listOrganizationTables } from '../../queries/organization/organization-tables.ts'
import { deleteUnusedAccount } from '../accounts/accounts.ts'
import { audit, changesBetween, OPERATOR } from './audit.ts'

/*
 * Removes an organization with all its data, one transaction a step. A crash leaves an organization that cannot be
 * used, and the same command continues.
 */

/** Rows of one step. */
const ROWS = 5000
/** People of one step, each with the account that may go with them. */
const PEOPLE = 100
/** Tables whose rows make it an organization; they go together in the last step. */
const LAST = ['organization_storage', 'organization_logs', 'organizations', 'organization_removals']
/** Tables that have steps of their own. */
const PEOPLE_TABLE = 'profiles'
const FILES_TABLE = 'stored_files'
/** Holds go first: while one stands, triggers keep what is deleted. */
const HOLDS_TABLE = 'legal_holds'

type Removed = { orgId: string; name: string; size: OrganizationSize }

/**
 * Shuts everybody out of the organization, bots with 401 and people as if it did not exist, and notes the removal in the audit log of the
 * home organization, once.
 */
export async function beginRemoval(db: Database, { orgId, name, size }: Removed): Promise<void> {
  await db.transaction(async (open) => {
    const homeId = await readHome(open)
    const entered = new Map<string, Transaction>()
    // Organizations are entered in the order of their ids, as all transactions do.
    for (const id of [orgId, ...(homeId === undefined ? [] : [homeId])].sort())
      entered.set(id, await open.enter(id))
    const [tx, home] = [entered.get(orgId), homeId === undefined ? undefined : entered.get(homeId)]
    if (!tx) throw new Error(`organization ${orgId} was not entered`)
    const [begun] = await tx.query(sql`
      insert into organization_removals (org_id, asked_at) values (${orgId}, ${tx.now()})
      on conflict (org_id) do nothing returning org_id`)
    await shutOut(tx)
    if (!begun || !home) return
    const { people, messages, files, bytes } = size
    await audit(home, OPERATOR, {
      action: 'organization.removed',
      target: { type: 'organization', id: orgId, name },
      changes: changesBetween({}, { people, messages, files, bytes }),
    })
  })
}

async function shutOut(tx: Transaction): Promise<void> {
  const { orgId } = tx
  const bots = await tx.query<{ id: string }>(sql`
    update bots set active = false, token_generation = token_generation + 1 where org_id = ${orgId} returning id`)
  for (const table of [
    'api_keys',
    'bot_directory',
    'incoming_tokens',
    'assistant_tokens',
    'join_links',
    'scim_tokens',
    'audit_destinations',
    'message_checks',
  ])
    await tx.query(sql`delete from ${verbatim(table)} where org_id = ${orgId}`)
  await tx.query(sql`delete from invitations where org_id = ${orgId}`)
  await tx.query(sql`
    update profiles set status = 'Deleted', sessions_ended_at = ${tx.now()} where org_id = ${orgId} and kind = 'user'`)
  for (const { id } of bots) await identityChanged(tx, id)
  await tx.notify(SESSIONS_CHANNEL, orgId)
}

/** Takes away everything that an organization has which is shut out already, and then the organization itself. */
export async function removeShutOut(
  { db, files }: { db: Database; files: Files },
  orgId: string,
  work: LongWork = UNSEEN,
): Promise<void> {
  const tables = (await listOrganizationTables(db)).filter((name) => !LAST.includes(name))
  const rowsOf = tables.filter((name) => name !== FILES_TABLE)
  work.begin('Tables', { total: rowsOf.length })
  for (const table of [HOLDS_TABLE, ...rowsOf.filter((name) => name !== HOLDS_TABLE)]) {
    while (await db.write(orgId, (tx) => (table === PEOPLE_TABLE ? removePeople(tx) : removeRows(tx, table))))
      work.advance(0)
    work.advance(1)
  }
  work.begin('Files')
  await db.write(orgId, releaseAllFiles)
  const left = await files.removeAllOf(orgId)
  if (left > 0)
    throw new OperatorError(
      `${left} of its files are still in the store: a backup reads them, or a server removes them now. Run the command again in a minute; it goes on where it stopped.`,
    )
  await db.write(orgId, (tx) => finish(tx, rowsOf))
  // Deletes counters that a node wrote before it heard of the removal.
  for (const table of rowsOf) await db.query(sql`delete from ${verbatim(table)} where org_id = ${orgId}`)
}

async function removeRows(tx: Transaction, table: string): Promise<boolean> {
  const name = verbatim(table)
  const gone = await tx.query(sql`
    delete from ${name} where org_id = ${tx.orgId} and ctid = any(array(
      select x.ctid from ${name} x where x.org_id = ${tx.orgId} limit ${literal(ROWS)}))
    returning 1`)
  return gone.length === ROWS
}

/** Accounts that were in this organization alone go with their people, with sessions, passkeys and all else. */
async function removePeople(tx: Transaction): Promise<boolean> {
  const gone = await tx.query<{ accountId: string | null }>(sql`
    delete from profiles where org_id = ${tx.orgId} and ctid = any(array(
      select x.ctid from profiles x where x.org_id = ${tx.orgId} limit ${literal(PEOPLE)}))
    returning account_id as "accountId"`)
  const accountIds = gone.flatMap(({ accountId }) => accountId ?? [])
  for (const accountId of [...new Set(accountIds)].sort()) await deleteUnusedAccount(tx, accountId)
  return gone.length === PEOPLE
}

async function releaseAllFiles(tx: Transaction): Promise<void> {
  await tx.query(sql`
    update stored_files set shares = 0, sweep_at = ${tx.now()} where org_id = ${tx.orgId} and (sweep_at is null or sweep_at > ${tx.now()})`)
}

/** Deletes the log's row with the rest, after which nothing can write in the organization. */
async function finish(tx: Transaction, tables: readonly string[]): Promise<void> {
  for (const table of [...tables, 'organization_storage', 'organization_logs', 'organizations'])
    await tx.query(sql`delete from ${verbatim(table)} where org_id = ${tx.orgId}`)
  await tx.notify(SESSIONS_CHANNEL, tx.orgId)
}
