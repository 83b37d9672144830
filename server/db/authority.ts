import type { Queryable } from './database.ts'
import type { Sql } from './sql.ts'
import type { Transaction } from './transaction.ts'

/**
 * The right by which a caller acts. A request is admitted before its body has come and before its turn to write, and
 * its caller may lose the right in between. Every change that takes a right moves the `authority_version` of its
 * organization (`functions/move_authority.sql`), a number in the row that every writer locks. While it equals the
 * version of the admission, the caller's rights are unchanged.
 */
export type Authority<Who> = {
  /** The organization's version at which the rights were read. */
  readonly version: number
  /**
   * Gives a row as long as the rights are of that version, and locks it: they stay as they are until the statement's transaction ends.
   * Missing where it takes more than a statement, and on a cluster.
   */
  readonly held?: () => Sql
  /**
   * Reads the rights again, here or in a transaction; throws the refusal that a new request would get. With `isLocked` they stay as they
   * are until the transaction ends, without the organization's row.
   */
  renew(db?: Queryable, isLocked?: boolean): Promise<Who>
}

/** A caller inside an organization. The server itself and operators have no authority to check. */
export type Acting<Who> = { orgId: string; authority?: Authority<Who> | undefined }

/**
 * The caller's rights as of this transaction. The organization's row is locked, so no right can be taken before it
 * ends.
 */
export async function confirmed<Who extends Acting<Who>>(tx: Transaction, who: Who): Promise<Who> {
  const { authority } = who
  return authority && authority.version !== tx.authorityVersion ? authority.renew(tx) : who
}
