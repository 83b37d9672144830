import { caseKey } from '../../../contract/case-key.ts'
import { isViolation } from '../../db/database.ts'
import { type Sql, sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/transaction.ts'
import { refusal } from '../../errors.ts'
import { newUuid } from '../../ids.ts'
import { type Actor, audit, changesBetween } from '../organization/audit.ts'

type NamedLabel = { id: string; name: string }

/** Names are unique without regard to case; the database sees to it. */
export async function createLabel(tx: Transaction, name: string, by: Actor): Promise<NamedLabel> {
  const id = newUuid()
  const at = tx.ownMillisecond()
  await writeName(
    tx,
    sql`insert into labels (org_id, id, name, name_key, created_at)
      values (${tx.orgId}, ${id}, ${name}, ${caseKey(name)}, ${at})`,
  )
  await audit(tx, by, { action: 'label.created', target: { type: 'label', id, name } })
  return { id, name }
}

export async function renameLabel(
  tx: Transaction,
  by: Actor,
  labelId: string,
  name: string,
): Promise<NamedLabel> {
  const before = await requireLabel(tx, labelId)
  const after = { ...before, name }
  if (name === before.name) return after
  await writeName(
    tx,
    sql`update labels set name = ${name}, name_key = ${caseKey(name)} where org_id = ${tx.orgId} and id = ${before.id}`,
  )
  await audit(tx, by, {
    action: 'label.renamed',
    target: { type: 'label', ...after },
    changes: changesBetween({ name: before.name }, { name }),
  })
  return after
}

/** Topics with the label lose it, and count as changed. */
export async function deleteLabel(tx: Transaction, by: Actor, labelId: string): Promise<void> {
  const label = await requireLabel(tx, labelId)
  await tx.query(sql`
    update topics set label_id = null, updated_at = ${tx.now()}
    where org_id = ${tx.orgId} and label_id = ${label.id}`)
  await tx.query(sql`delete from labels where org_id = ${tx.orgId} and id = ${label.id}`)
  await audit(tx, by, { action: 'label.deleted', target: { type: 'label', ...label } })
}

async function requireLabel(tx: Transaction, labelId: string): Promise<NamedLabel> {
  const [label] = await tx.query<NamedLabel>(
    sql`select id, name from labels where org_id = ${tx.orgId} and id = ${labelId}`,
  )
  if (!label) throw refusal('label_not_found')
  return label
}

async function writeName(tx: Transaction, statement: Sql): Promise<void> {
  await tx.query(statement).catch((error: unknown) => {
    throw isViolation(error, 'labels_name') ? refusal('label_name_taken') : error
  })
}
