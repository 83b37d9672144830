import { LIMITS } from '../../../contract/limits.ts'
import { sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/transaction.ts'
import { Refusal } from '../../errors.ts'
import type { Parley } from '../../parley.ts'
import { headersContext, isReservedHeader, openHeaders } from '../../presenters/webhook-targets.ts'
import { tableOf } from '../../queries/bots/webhook-addresses.ts'

const NAME = /^[A-Za-z0-9-]{1,64}$/
/** Printable, and without spaces at the ends, which would be lost on the way. */
const VALUE = /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/

export type HeaderChanges = Record<string, string | null>

/**
 * Sets headers of an address (the first one has the bot's id), and removes those that are null. Names ignore case.
 * Returns the resulting names.
 */
export async function changeHeaders(
  tx: Transaction,
  { secrets, config }: Pick<Parley, 'secrets' | 'config'>,
  addressId: string,
  changes: HeaderChanges,
  field: 'headers' | 'webhookHeaders',
): Promise<string[]> {
  const table = tableOf(addressId)
  const [address] = await tx.query<{ headers: Buffer | null }>(sql`
    select webhook_headers as headers from ${table} where org_id = ${tx.orgId} and id = ${addressId}`)
  const before = address?.headers ? openHeaders(secrets, config, addressId, address.headers) : {}
  const headers = new Map(Object.entries(before))
  for (const [name, value] of Object.entries(changes)) {
    if (!NAME.test(name) || isReservedHeader(name, config))
      throw new Refusal('webhook_header_name_invalid', { field })
    for (const known of [...headers.keys()]) {
      if (known.toLowerCase() === name.toLowerCase()) headers.delete(known)
    }
    if (value === null) continue
    if (!VALUE.test(value) || value.length > LIMITS.webhookHeaderValue)
      throw new Refusal('webhook_header_value_invalid', { field })
    headers.set(name, value)
  }
  if (headers.size > LIMITS.webhookHeaders) throw new Refusal('webhook_headers_full', { field })
  const names = [...headers.keys()]
  const sealed =
    names.length === 0
      ? null
      : secrets.encrypt(JSON.stringify(Object.fromEntries(headers)), headersContext(addressId))
  await tx.query(sql`
    update ${table} set webhook_headers = ${sealed}, webhook_header_names = ${names}, updated_at = ${tx.now()}
    where org_id = ${tx.orgId} and id = ${addressId}`)
  return names
}
