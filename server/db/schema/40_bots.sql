-- Bots: credentials, limits, commands, and what they keep for themselves. Their names are in `profiles`, their webhooks in 70_webhooks.sql.

-- A webhook's first address is part of its bot; `webhook_addresses` has the others, with columns of the same names.
create table bots (
  org_id uuid not null,
  id text collate "C" not null,
  description text not null default '' check (char_length(description) <= 500),
  owner_id text collate "C", -- the person who created it; null for bots of agents
  active boolean not null default true,
  paused_at bigint, -- since when an admin has it paused: it does nothing, hears nothing, and continues with what it missed
  created_at bigint not null,
  updated_at bigint not null,

  -- Credentials.
  credential text not null check (credential in ('static', 'oauth')),
  permission text not null check (permission in ('read', 'write')), -- static keys only; 'write' for oauth
  scopes text[] not null,                                           -- oauth only; empty for static keys
  secret bytea not null,                                            -- encrypted; it also signs webhooks
  previous_secret bytea,                                            -- counts beside `secret` until `previous_secret_until`
  previous_secret_until bigint,
  key_hint text not null default '',                                -- first characters of the API key, to tell keys apart
  token_generation integer not null default 1,                      -- tokens of an earlier generation are revoked
  -- The least version of request signatures that it accepts: 1 (both) or 2 (only signatures over the whole request).
  signature_version smallint not null default 1 check (signature_version in (1, 2)),

  opens_direct_messages boolean not null default false, -- with people who share a topic with it
  external_id_is_key boolean not null default false, -- a repeated externalId gets the first answer again, as an Idempotency-Key does
  prompts text[] not null default '{}', -- what it suggests to ask

  -- Budgets of a day, from midnight to midnight UTC; null: no limit.
  messages_per_day bigint check (messages_per_day > 0),
  tokens_per_day bigint check (tokens_per_day > 0),

  -- How events reach it.
  delivery text not null default 'polling' check (delivery in ('polling', 'webhook')),
  poll_vote_events boolean not null default false,
  polled_seq bigint not null default 0, -- newest offset that it came back with: all events up to it have reached the bot
  webhook_url text,
  webhook_events text[] check (cardinality(webhook_events) > 0), -- types that its webhook gets; null: all, also those of later versions
  webhook_headers bytea, -- sent with each delivery, as JSON, encrypted: they often let the receiver in
  webhook_header_names text[] not null default '{}',
  webhook_gzip boolean not null default true,
  webhook_rate integer not null default 50 check (webhook_rate between 1 and 1000), -- deliveries a second while it catches up
  webhook_paused_at bigint,
  -- `imported`: it came with its organization from another server, without the secret, and waits for a new one.
  webhook_pause_reason text check (webhook_pause_reason in ('gone', 'failing', 'imported')),
  failing_since bigint, -- when the first attempt failed after the last that succeeded
  failing_attempts integer not null default 0,
  -- A bot belongs to one node at a time. That keeps the order of its topics, its limit of concurrent requests and its
  -- pace on any number of nodes, and a delivery is written once when it is made and once when it is done.
  webhook_leased_by uuid,
  webhook_leased_until bigint not null default 0,

  primary key (org_id, id),
  foreign key (org_id, id) references profiles (org_id, id),
  check (delivery = 'polling' or webhook_url is not null),
  check ((webhook_paused_at is null) = (webhook_pause_reason is null)),
  check ((previous_secret is null) = (previous_secret_until is null))
);
-- Bots whose deliveries go out: a dispatcher that looks for work goes through them.
create index bots_webhook on bots (org_id, id) where delivery = 'webhook' and active and webhook_paused_at is null;

-- Secrets that were rotated away: the token endpoint answers them differently from unknown ones.
create table former_bot_secrets (
  org_id uuid not null,
  bot_id text collate "C" not null,
  secret_hash bytea not null,
  rotated_at bigint not null,
  primary key (org_id, bot_id, secret_hash),
  foreign key (org_id, bot_id) references bots (org_id, id)
);

-- API keys are looked up before the organization is known.
create table api_keys (
  key_hash bytea primary key,
  org_id uuid not null,
  bot_id text collate "C" not null,
  foreign key (org_id, bot_id) references bots (org_id, id)
);

-- Client ids are looked up before the organization is known.
create table bot_directory (
  bot_id text collate "C" primary key,
  org_id uuid not null,
  foreign key (org_id, bot_id) references bots (org_id, id)
);

-- Nonces of signatures of version 2, each accepted once while its time counts. A hash, so that rows are small whatever is sent.
-- No index by time: the table holds ten minutes of requests, and a worker scans it once a minute to remove the oldest.
create table request_nonces (
  org_id uuid not null,
  bot_id text not null,
  nonce_hash bytea not null,
  expires_at bigint not null,
  primary key (org_id, bot_id, nonce_hash)
);

-- The commands of a bot, as it set them.
create table bot_commands (
  org_id uuid not null,
  bot_id text collate "C" not null,
  name text collate "C" not null,
  description text not null,
  arguments jsonb not null, -- [{name, description?, type?, required?, options?}]
  fields jsonb, -- the form that it opens: [{id, text, type?, required?, options?, min?, max?}]
  primary key (org_id, bot_id, name),
  foreign key (org_id, bot_id) references bots (org_id, id) on delete cascade
);

-- Usage of bots with a budget. Nodes add to it once a second, so half of each page is left free: a new number goes into
-- the same page.
create table bot_usage (
  org_id uuid not null,
  bot_id text collate "C" not null,
  day integer not null, -- since 1970-01-01, UTC
  messages bigint not null default 0, -- counted only while the bot has a budget
  tokens bigint not null default 0, -- as the bot reports them
  told_messages bigint, -- the budget of which people were told that it is nearly used up
  told_tokens bigint,
  primary key (org_id, bot_id, day)
) with (fillfactor = 50);

-- The size of a bot's storage. Limits are checked against this row, which a change of an entry locks first, so that two changes cannot pass
-- a limit together. The organization's writer is not involved.
create table bot_storage (
  org_id uuid not null,
  bot_id text collate "C" not null,
  entries integer not null default 0 check (entries >= 0),
  bytes bigint not null default 0 check (bytes >= 0),
  -- Counts all changes of the bot: an entry that was deleted and made again never has a version that it had before.
  last_version bigint not null default 0,
  primary key (org_id, bot_id),
  foreign key (org_id, bot_id) references bots (org_id, id) on delete cascade
);

create table bot_storage_entries (
  org_id uuid not null,
  bot_id text collate "C" not null,
  key text collate "C" not null,
  value text not null,    -- JSON, given out as it is
  bytes integer not null, -- of the value in UTF-8
  version bigint not null,
  updated_at bigint not null,
  primary key (org_id, bot_id, key),
  foreign key (org_id, bot_id) references bot_storage (org_id, bot_id) on delete cascade
);

-- A rehearsal: a new version of a bot hears past events again, and what it does is kept here and not sent. Rows go some days later.
create table rehearsals (
  org_id uuid not null,
  id uuid not null,
  bot_id text collate "C" not null,
  started_by text collate "C" not null, -- the admin who began it: it hears what they may read, for as long as they are one
  name text not null,
  token_hash bytea not null,
  from_at bigint not null,
  to_seq bigint not null,       -- the newest event as it began
  heard_seq bigint not null,    -- events up to this number are finished, or not for it
  heard_at bigint not null,     -- the time of the latest event that it was given: reads answer as of then
  current_seq bigint,           -- the event that it was given and has not finished
  current_tries integer not null default 0, -- how often it was given that event
  events integer not null default 0,
  sayings integer not null default 0, -- all that there ever were: their numbers go on
  bytes bigint not null default 0,
  tokens bigint not null default 0,   -- as it reports them
  storage_version bigint not null default 0,
  created_at bigint not null,
  expires_at bigint not null,   -- of its token
  over_at bigint,               -- when it had heard everything
  delete_at bigint not null,
  primary key (org_id, id),
  foreign key (org_id, bot_id) references bots (org_id, id) on delete cascade
);
-- The rehearsals of a bot, and its removal.
create index rehearsals_bot on rehearsals (org_id, bot_id, id);
-- Rehearsals to be deleted.
create index rehearsals_delete_at on rehearsals (delete_at);

-- Events that a rehearsal was given: ids and times alone, what they say is read where they came from.
create table rehearsal_events (
  org_id uuid not null,
  rehearsal_id uuid not null,
  seq bigint not null,
  type text not null,
  topic_id uuid not null,
  message_id uuid,
  thread_id uuid, -- the message that its message replies to
  actor_id text collate "C" not null,
  at bigint not null,
  heard_at bigint not null, -- by the clock of now
  primary key (org_id, rehearsal_id, seq),
  foreign key (org_id, rehearsal_id) references rehearsals (org_id, id) on delete cascade
);

-- Doings of a bot in a rehearsal.
create table rehearsal_sayings (
  org_id uuid not null,
  rehearsal_id uuid not null,
  number integer not null,
  event_seq bigint not null, -- the event that it had then; 0 before the first
  kind text not null,
  id uuid not null,          -- the id that the bot was given for it
  topic_id uuid,
  message_id uuid,           -- the message that it is about
  text text not null default '',
  data jsonb not null default '{}',
  key text,                  -- the Idempotency-Key of its request
  bytes integer not null,
  said_at bigint not null,
  primary key (org_id, rehearsal_id, number),
  foreign key (org_id, rehearsal_id) references rehearsals (org_id, id) on delete cascade
);
-- The sayings of a page of events.
create index rehearsal_sayings_event on rehearsal_sayings (org_id, rehearsal_id, event_seq, number);
-- A message that is edited, continued or deleted.
create index rehearsal_sayings_id on rehearsal_sayings (org_id, rehearsal_id, id);

-- The storage of a bot in a rehearsal, which begins empty.
create table rehearsal_storage (
  org_id uuid not null,
  rehearsal_id uuid not null,
  key text collate "C" not null,
  value text not null,
  bytes integer not null,
  version bigint not null,
  updated_at bigint not null,
  primary key (org_id, rehearsal_id, key),
  foreign key (org_id, rehearsal_id) references rehearsals (org_id, id) on delete cascade
);
