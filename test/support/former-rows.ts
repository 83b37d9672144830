import type pg from 'pg'
import { newBotId, newUuid, sha256 } from '../../server/ids.ts'
import { FINGERPRINT } from '../../server/keys/key-state.ts'
import type { Secrets } from '../../server/secrets.ts'
import type { Credentials } from './client.ts'

/** A topic of a database of an older version, and the bot that wrote in it. */
export type FormerTopic = { topicId: string; credentials: Credentials; texts: string[] }

const MESSAGES = 300
/** The log is kept for a week: these events must be younger than that. */
const BEGAN_AT = Date.now() - 3_600_000

/**
 * Fills a database that has 0004_webhooks.sql, or any later migration, by the columns of that time: people and bots of an organization, a topic
 * with messages, a reaction, a task, a poll, the log of events and deliveries.
 */
export async function fillFormer(client: pg.Client, secrets: Secrets): Promise<FormerTopic> {
  const [orgId, accountId, ownerId, topicId, labelId] = [
    newUuid(),
    newUuid(),
    newUuid(),
    newUuid(),
    newUuid(),
  ]
  const [botId, otherId, pollId, apiKey, apiSecret] = [
    newBotId(),
    newBotId(),
    newUuid(),
    newUuid(),
    newUuid(),
  ]
  const texts = Array.from({ length: MESSAGES }, (_, number) => `message ${number + 1} äöü ✓`)
  const insert = async (table: string, row: Record<string, unknown>) => {
    const columns = Object.keys(row)
    await client.query(
      `insert into ${table} (${columns.join(', ')}) values (${columns.map((_, index) => `$${index + 1}`).join(', ')})`,
      Object.values(row),
    )
  }
  const made = { created_at: BEGAN_AT, updated_at: BEGAN_AT }
  const here = { org_id: orgId, topic_id: topicId }

  await insert('settings', { name: FINGERPRINT, value: secrets.fingerprint })
  await insert('organizations', { org_id: orgId, name: 'Lighthouse Labs', ...made })
  await insert('organization_logs', {
    org_id: orgId,
    last_seq: MESSAGES,
    last_tick: (BEGAN_AT + MESSAGES) * 4096,
  })
  await insert('accounts', {
    id: accountId,
    email: 'Ada@example.com',
    email_key: 'ada@example.com',
    created_at: BEGAN_AT,
  })
  await insert('profiles', {
    org_id: orgId,
    id: ownerId,
    kind: 'user',
    name: 'Ada',
    email: 'Ada@example.com',
    email_key: 'ada@example.com',
    status: 'Active',
    role: 'owner',
    account_id: accountId,
    ...made,
  })
  for (const [id, delivery, url] of [
    [botId, 'polling', null],
    [otherId, 'webhook', 'http://127.0.0.1:9/'],
  ] as const) {
    await insert('profiles', { org_id: orgId, id, kind: 'bot', name: 'Survivor', status: 'Active', ...made })
    await insert('bots', {
      org_id: orgId,
      id,
      credential: 'static',
      permission: 'write',
      scopes: [],
      secret: secrets.encrypt(apiSecret, id),
      delivery,
      webhook_url: url,
      ...made,
    })
    await insert('bot_directory', { bot_id: id, org_id: orgId })
  }
  await insert('api_keys', { key_hash: sha256(apiKey), org_id: orgId, bot_id: botId })
  await insert('labels', {
    org_id: orgId,
    id: labelId,
    name: 'Old',
    name_key: 'old',
    created_at: BEGAN_AT,
  })
  await insert('topics', {
    org_id: orgId,
    id: topicId,
    name: 'General',
    created_by: botId,
    label_id: labelId,
    ...made,
  })
  for (const profileId of [ownerId, botId, otherId])
    await insert('topic_members', {
      ...here,
      profile_id: profileId,
      topic_created_at: BEGAN_AT,
      joined_at: BEGAN_AT,
    })

  await client.query(
    `insert into messages (org_id, id, topic_id, sender_id, type, text, mentions, created_at, updated_at)
     select $1, ${timeOrdered('n')}, $2, $3, 'text', text, case when n % 50 = 0 then array[$4] else '{}' end, $6::bigint + n, $6::bigint + n
     from unnest($5::text[]) with ordinality x (text, n)`,
    [orgId, topicId, botId, ownerId, texts, BEGAN_AT],
  )
  await client.query(
    `insert into events (org_id, seq, id, type, topic_id, data, created_at)
     select $1, n, ${timeOrdered('n', '1')}, 'message.created', $2,
       json_build_object('message', json_build_object('id', ${timeOrdered('n')}, 'topicId', $2::uuid, 'text', text)), $4::bigint + n
     from unnest($3::text[]) with ordinality x (text, n)`,
    [orgId, topicId, texts, BEGAN_AT],
  )
  for (const bot of [botId, otherId])
    await client.query(
      'insert into event_audience (org_id, bot_id, seq) select org_id, $2, seq from events where org_id = $1',
      [orgId, bot],
    )
  await client.query(
    `insert into deliveries (org_id, bot_id, seq, id, topic_id, state, due_at)
     select org_id, $2, seq, gen_random_uuid(), topic_id, 'delivered', created_at from events where org_id = $1`,
    [orgId, otherId],
  )
  await client.query(
    `insert into reactions (org_id, id, message_id, profile_id, emoji, created_at)
     select org_id, gen_random_uuid(), id, $2, '👍', created_at from messages where org_id = $1 limit 1`,
    [orgId, otherId],
  )
  await insert('tasks', { ...here, id: newUuid(), title: 'Keep this', index: 0, created_by: botId, ...made })
  await insert('polls', {
    ...here,
    id: pollId,
    message_id: newUuid(),
    question: 'All there?',
    selection_type: 'single',
    anonymous: false,
    options: JSON.stringify([{ id: 'aaaaaa', text: 'Yes' }]),
    created_by: botId,
    created_at: BEGAN_AT,
  })
  await insert('poll_votes', {
    org_id: orgId,
    poll_id: pollId,
    voter_id: otherId,
    option_id: 'aaaaaa',
    created_at: BEGAN_AT,
  })
  return { topicId, credentials: { apiKey, apiSecret }, texts }
}

/** SQL of a time-ordered id (version 7) for the moment `BEGAN_AT` and a number of milliseconds. */
const timeOrdered = (number: string, digit = '0') =>
  `(lpad(to_hex(${BEGAN_AT} + ${number}), 12, '0') || '7${digit}00' || '8000' || lpad(to_hex(${number}), 12, '0'))::uuid`
