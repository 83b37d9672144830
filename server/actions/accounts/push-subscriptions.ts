import { ECDH } from 'node:crypto'
import { LIMITS } from '../../../contract/limits.ts'
import type { PushSubscription } from '../../../contract/people/notifications.ts'
import type { SignedIn } from '../../auth/sessions.ts'
import type { Config } from '../../config.ts'
import type { Queryable } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'
import { refusal } from '../../errors.ts'
import { sha256 } from '../../ids.ts'
import { checkWebhookUrl } from '../../network/guard.ts'
import type { Secrets } from '../../secrets.ts'

type Parts = { secrets: Secrets; config: Config; now: number }

/** Notifies the browser of this session from here on; of many browsers of one person the oldest give way. */
export async function subscribeToPush(
  tx: Queryable,
  { secrets, config, now }: Parts,
  { accountId, sessionId }: SignedIn,
  subscription: PushSubscription,
): Promise<void> {
  if (!config.webPush) throw refusal('push_not_available')
  // The address comes from a browser: it must not lead to machines that only this server reaches.
  if (
    checkWebhookUrl(config, config.pushNetworks, subscription.endpoint) !== undefined ||
    !isOnCurve(subscription)
  )
    throw refusal('push_address_invalid')
  const { endpoint, keys } = subscription
  const sealed = secrets.encrypt(JSON.stringify({ endpoint, keys }), `push:${sessionId}`)
  await tx.query(sql`
    delete from push_subscriptions where endpoint_hash = ${sha256(endpoint)} and session_id <> ${sessionId}`)
  await tx.query(sql`
    insert into push_subscriptions (session_id, account_id, endpoint_hash, subscription, created_at)
    values (${sessionId}, ${accountId}, ${sha256(endpoint)}, ${sealed}, ${now})
    on conflict (session_id) do update set endpoint_hash = excluded.endpoint_hash, subscription = excluded.subscription,
      created_at = excluded.created_at`)
  await tx.query(sql`
    delete from push_subscriptions where session_id in (
      select session_id from push_subscriptions where account_id = ${accountId}
      order by created_at desc, session_id offset ${LIMITS.pushSubscriptions})`)
}

export async function unsubscribeFromPush(db: Queryable, { sessionId }: SignedIn): Promise<void> {
  await db.query(sql`delete from push_subscriptions where session_id = ${sessionId}`)
}

/** Nothing can be encrypted for a key that is no point of the curve. */
function isOnCurve({ keys: { p256dh } }: PushSubscription): boolean {
  try {
    ECDH.convertKey(p256dh, 'prime256v1', 'base64url', 'base64url', 'compressed')
    return true
  } catch {
    return false
  }
}
