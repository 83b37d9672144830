-- Ids of profiles are compared byte by byte (collate "C"), whatever the database's own order is: bots, `b@…`, are
-- then one range of an index.

-- Installation-wide facts: fingerprint of the secret key, hash of the set-up link.
create table settings (
  name text primary key,
  value text not null
);

create table organizations (
  org_id uuid primary key,
  name text not null check (char_length(name) between 1 and 100),
  size_range text not null default '1-10',
  industry text not null default '',
  restrict_to_org_units boolean not null default false,
  rate_limit integer check (rate_limit >= 0), -- requests a minute; null: the server's setting; 0: no limit
  created_at bigint not null,
  updated_at bigint not null
);

-- One row an organization, locked by every transaction that writes inside it. That lock is what makes
-- sequence numbers follow commit order, and concurrent writes right by construction.
create table organization_logs (
  org_id uuid primary key references organizations,
  last_seq bigint not null default 0,  -- number of the newest event
  last_tick bigint not null default 0, -- newest time handed out: milliseconds * 4096 + counter
  floor_seq bigint not null default 0  -- events up to here have been removed by retention
);

-- A person across organizations. `email_key` is the address without regard to case.
create table accounts (
  id uuid primary key,
  email text not null,
  email_key text not null unique,
  created_at bigint not null
);

create table profiles (
  org_id uuid not null references organizations,
  id text collate "C" not null check (id ~ '^(b@)?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$'),
  kind text not null check (kind in ('user', 'bot')),
  name text not null check (char_length(name) between 1 and 100),
  email text not null default '',
  email_key text, -- null for bots
  phone text not null default '',
  external_id text,
  status text not null check (status in ('Pending', 'Active', 'Deleted', 'Archived')),
  role text not null default 'member' check (role in ('owner', 'admin', 'member')),
  account_id uuid references accounts,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (org_id, id),
  check ((kind = 'bot') = (id like 'b@%'))
);
-- An address belongs to one profile of an organization; also serves the filter `emails` of the member list.
create unique index profiles_email on profiles (org_id, email_key) where email_key is not null;
-- The member list: one status, oldest first.
create index profiles_list on profiles (org_id, status, created_at, id);

create table bots (
  org_id uuid not null,
  id text collate "C" not null,
  credential text not null check (credential in ('static', 'oauth')),
  permission text not null check (permission in ('read', 'write')), -- static keys only; 'write' for oauth
  scopes text[] not null,                                           -- oauth only; empty for static keys
  secret bytea not null,                                            -- encrypted; it also signs webhooks
  key_hint text not null default '',                                -- first characters of the API key, to tell keys apart
  active boolean not null default true,
  token_generation integer not null default 1,                      -- tokens of an earlier generation are revoked
  delivery text not null default 'polling' check (delivery in ('polling', 'webhook')),
  webhook_url text,
  poll_vote_events boolean not null default false,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (org_id, id),
  foreign key (org_id, id) references profiles (org_id, id),
  check (delivery = 'polling' or webhook_url is not null)
);

-- Secrets that were rotated away: the token endpoint answers them differently from ones that never were.
create table former_bot_secrets (
  org_id uuid not null,
  bot_id text collate "C" not null,
  secret_hash bytea not null,
  rotated_at bigint not null,
  primary key (org_id, bot_id, secret_hash),
  foreign key (org_id, bot_id) references bots (org_id, id)
);

-- Look-ups that come before the organization is known.
create table api_keys (
  key_hash bytea primary key,
  org_id uuid not null,
  bot_id text collate "C" not null,
  foreign key (org_id, bot_id) references bots (org_id, id)
);
create table bot_directory (
  bot_id text collate "C" primary key,
  org_id uuid not null,
  foreign key (org_id, bot_id) references bots (org_id, id)
);
create table invitations (
  token_hash bytea primary key,
  org_id uuid not null,
  profile_id text collate "C" not null,
  expires_at bigint not null,
  accepted_at bigint,
  foreign key (org_id, profile_id) references profiles (org_id, id)
);

create table topics (
  org_id uuid not null references organizations,
  id uuid not null,
  type text not null default 'topic' check (type in ('topic', 'dm')),
  name text not null check (char_length(name) <= 64),
  description text not null default '' check (char_length(description) <= 10000),
  announcement boolean not null default false,
  created_by text collate "C" not null,
  external_id text check (char_length(external_id) between 1 and 100),
  label_id uuid,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (org_id, id)
);
-- An external id is unique for the bot that gave it; only bots give one.
create unique index topics_external_id on topics (org_id, created_by, external_id) where external_id is not null;

create table topic_members (
  org_id uuid not null,
  topic_id uuid not null,
  profile_id text collate "C" not null,
  topic_created_at bigint not null, -- repeated here so that a member's topics are one range of one index
  joined_at bigint not null,
  primary key (org_id, topic_id, profile_id),
  foreign key (org_id, topic_id) references topics (org_id, id),
  foreign key (org_id, profile_id) references profiles (org_id, id)
);
-- The topic list of a member, newest first.
create index topic_members_list on topic_members (org_id, profile_id, topic_created_at desc, topic_id desc);

-- The log. The payload is stored once; who receives it is fixed when it is written.
create table events (
  org_id uuid not null references organizations,
  seq bigint not null,
  id uuid not null,
  type text not null,
  topic_id uuid not null,
  data json not null, -- json, not jsonb: it is written once and handed out as it is
  created_at bigint not null,
  primary key (org_id, seq)
);
-- An update's id is itself a valid offset.
create unique index events_id on events (org_id, id);
create table event_audience (
  org_id uuid not null,
  bot_id text collate "C" not null,
  seq bigint not null,
  primary key (org_id, bot_id, seq)
);

-- First answers to requests with an Idempotency-Key, given again for 24 hours. Without an organization
-- (agents that sign up) org_id is the nil UUID and the owner is the address.
create table idempotent_answers (
  org_id uuid not null,
  owner text not null,
  key text not null,
  request_hash bytea not null,
  status smallint not null,
  body bytea, -- encrypted: it may hold credentials
  created_at bigint not null,
  primary key (org_id, owner, key)
);
create index idempotent_answers_age on idempotent_answers (created_at);

-- What is left of a budget for one minute. Unlogged: after a crash a minute starts anew.
create unlogged table budgets (
  name text primary key,
  started_at bigint not null,
  used bigint not null,
  granted bigint not null -- of the last request
);

-- Mail to be sent, written in the transaction that it belongs to. Content is encrypted: it holds one-time links.
create table mails (
  id uuid primary key,
  content bytea not null,
  attempts integer not null default 0,
  due_at bigint not null,
  created_at bigint not null
);
create index mails_due on mails (due_at);
