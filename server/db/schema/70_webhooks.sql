-- Webhooks: deliveries to bots, and addresses that other programs post to.

-- Addresses of a bot's webhook beside its first one, which is in `bots`. Columns have the names that they have there, so that one statement
-- serves both.
create table webhook_addresses (
  org_id uuid not null,
  id text collate "C" not null check (id like 'w@%'),
  bot_id text collate "C" not null,
  webhook_url text not null,
  webhook_events text[] check (cardinality(webhook_events) > 0), -- null: all, also those of later versions
  webhook_headers bytea, -- as JSON, encrypted
  webhook_header_names text[] not null default '{}',
  secret bytea not null, -- signs its deliveries, encrypted
  previous_secret bytea,
  previous_secret_until bigint,
  webhook_paused_at bigint,
  webhook_pause_reason text check (webhook_pause_reason in ('gone', 'failing', 'imported')),
  failing_since bigint,
  failing_attempts integer not null default 0,
  webhook_leased_by uuid,
  webhook_leased_until bigint not null default 0,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (org_id, id),
  foreign key (org_id, bot_id) references bots (org_id, id) on delete cascade,
  check ((webhook_paused_at is null) = (webhook_pause_reason is null)),
  check ((previous_secret is null) = (previous_secret_until is null))
);
-- The addresses of a bot, oldest first; also finds those that are deleted with their bot.
create index webhook_addresses_bot on webhook_addresses (org_id, bot_id, created_at);

-- Events to be delivered to a webhook, written with the event. `bot_id` is the bot for its first address, and the id of the address for others:
-- each address has a queue of its own. No foreign keys: a delivery is removed with its event, and its writer has just read the bot.
create table deliveries (
  org_id uuid not null,
  bot_id text collate "C" not null,
  seq bigint not null,
  id uuid not null, -- made from the event and the bot: the same whenever this delivery is made again
  topic_id uuid not null,
  -- `testing`: goes out once, also while the webhook is paused; a look for pending ones does not find it.
  state text not null default 'pending' check (state in ('pending', 'delivered', 'exhausted', 'testing')),
  attempts integer not null default 0, -- so far; the number of the last one
  failures integer not null default 0, -- since it was queued or replayed: its place in the retry schedule
  due_at bigint not null,
  primary key (org_id, bot_id, seq)
) with (autovacuum_vacuum_scale_factor = 0.02); -- so that delivered ones leave deliveries_due soon
-- Due deliveries of a bot, the oldest first.
create index deliveries_due on deliveries (org_id, bot_id, due_at, seq) where state = 'pending';
-- A delivery by the id that its receiver knows.
create unique index deliveries_id on deliveries (org_id, id);
-- Deliveries that were given up, for admins: one in a million may be too few to find by going through pages. Delivered ones are never in it.
create index deliveries_exhausted on deliveries (org_id, bot_id, seq) where state = 'exhausted';
-- A dispatcher looks for tests every second; it holds a row for the seconds that a test takes.
create index deliveries_testing on deliveries (due_at) where state = 'testing';

create table delivery_attempts (
  org_id uuid not null,
  bot_id text collate "C" not null,
  seq bigint not null,
  number integer not null,
  at bigint not null,
  outcome text not null check (outcome in ('ok', 'timeout', 'refused', 'dns', 'tls', 'status', 'blocked', 'redirect')),
  status smallint, -- of the answer, if there was one
  duration_ms integer not null,
  answer text,     -- its first 4 KiB
  error text,      -- if there was no answer
  is_test boolean not null default false, -- not counted in any figure
  primary key (org_id, bot_id, seq, number)
);

-- Addresses that other programs post to: each payload becomes a message of one bot in one topic.
create table incoming_webhooks (
  org_id uuid not null,
  id uuid not null,
  bot_id text collate "C" not null,
  topic_id uuid not null,
  name text not null check (char_length(name) between 1 and 100),
  format text not null,
  template text check (char_length(template) between 1 and 2000),
  secret bytea, -- senders prove themselves with it, encrypted; null: the address alone suffices
  created_at bigint not null,
  updated_at bigint not null,
  primary key (org_id, id),
  foreign key (org_id, bot_id) references bots (org_id, id) on delete cascade,
  foreign key (org_id, topic_id) references topics (org_id, id) on delete cascade
);
-- The addresses of a bot; also finds those that are deleted with their bot.
create index incoming_webhooks_bot on incoming_webhooks (org_id, bot_id, created_at);

-- Tokens of these addresses, looked up before the organization is known. While one is being replaced, the former one has an end.
create table incoming_tokens (
  token_hash bytea primary key,
  org_id uuid not null,
  webhook_id uuid not null,
  hint text not null,
  valid_until bigint,
  created_at bigint not null,
  foreign key (org_id, webhook_id) references incoming_webhooks (org_id, id) on delete cascade
);
-- One current token and one former one at most.
create unique index incoming_tokens_webhook on incoming_tokens (org_id, webhook_id, (valid_until is null));

-- The last calls of each address, without their payloads.
create table incoming_calls (
  org_id uuid not null,
  webhook_id uuid not null,
  id uuid not null, -- time-ordered: the newest is the greatest
  at bigint not null,
  status smallint not null,
  source text,
  event text,
  reason text,
  detail text,
  message_id uuid,
  is_former boolean not null, -- by the address of before
  primary key (org_id, webhook_id, id),
  foreign key (org_id, webhook_id) references incoming_webhooks (org_id, id) on delete cascade
);
