-- Tables of the whole installation, which belong to no organization.
--
-- Times are Unix milliseconds in `bigint` columns. Ids of profiles are compared byte by byte (collate "C"), whatever the database's own
-- order is: ids of bots, `b@…`, are then one range of an index.

-- Facts about the installation, such as the fingerprint of the secret key and the home organization.
create table settings (
  name text primary key,
  value text not null
);

-- The functions of server/db/functions that this database has, with the checksum of the text that made each (functions.ts).
create table functions (
  name text primary key,
  checksum text not null
);

-- Nodes that run, as each reported last. Unlogged: after a crash they report again, and backups leave them out.
create unlogged table nodes (
  id uuid primary key,
  name text not null, -- host and process
  version text not null,
  roles text[] not null,
  started_at bigint not null,
  seen_at bigint not null,
  state jsonb not null
);

-- Rate limits: how much of each budget is used. Unlogged: after a crash a period starts again.
create unlogged table budgets (
  name text primary key,
  started_at bigint not null,
  used bigint not null,
  granted bigint not null, -- to the last request
  period_ms bigint not null default 86400000
);

-- First answers to requests with an Idempotency-Key, repeated for 24 hours. Agents that sign up have no organization yet: org_id is
-- then the nil UUID, and the owner is the address.
create table idempotent_answers (
  org_id uuid not null,
  owner text not null,
  key text not null,
  request_hash bytea not null,
  status smallint not null,
  body bytea,      -- encrypted: it may hold credentials
  plain_body text, -- an answer without secrets, written by the statement that sends a message: only nodes can encrypt
  created_at bigint not null,
  primary key (org_id, owner, key)
);
-- A worker removes the oldest.
create index idempotent_answers_age on idempotent_answers (created_at);

-- Mail to be sent, written in the transaction that it belongs to. Content is encrypted: it holds one-time links.
create table mails (
  id uuid primary key,
  content bytea not null,
  attempts integer not null default 0,
  due_at bigint not null,
  created_at bigint not null
);
-- The mail that is due next.
create index mails_due on mails (due_at);

-- Programs that registered themselves as OAuth clients (RFC 7591), before a person allowed them anything. They have no secret.
create table oauth_clients (
  id text collate "C" primary key,
  name text not null,
  redirect_uris text[] not null,
  created_at bigint not null,
  used_at bigint -- when a person last connected it; null: never
);
-- A worker removes unused ones, the oldest first.
create index oauth_clients_age on oauth_clients (coalesce(used_at, created_at));

-- The key pair that push services know this server by (VAPID), made at the first start.
create table push_keys (
  id smallint primary key default 1 check (id = 1),
  public_key text not null,
  private_key bytea not null, -- encrypted
  created_at bigint not null
);

-- The key of the hashes in import_marks, made at the first start. It stays when the secret key is replaced: what was hashed is not kept and
-- cannot be hashed again.
create table mark_keys (
  id smallint primary key default 1 check (id = 1),
  key bytea not null, -- encrypted
  created_at bigint not null
);
