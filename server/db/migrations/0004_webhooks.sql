-- The webhook of a bot: its settings, how it is doing, and which node looks after it.
alter table bots
  add column webhook_gzip boolean not null default true,
  add column webhook_rate integer not null default 50 check (webhook_rate between 1 and 1000), -- deliveries a second while it catches up
  add column webhook_paused_at bigint,
  add column webhook_pause_reason text check (webhook_pause_reason in ('gone', 'failing')),
  add column failing_since bigint, -- when the first attempt failed after the last that succeeded
  add column failing_attempts integer not null default 0,
  -- A bot belongs to one node at a time. That keeps the order of its topics, its bound of concurrent requests and its
  -- pace whatever the number of nodes, and a delivery is written once when it is made and once when it is done.
  add column webhook_leased_by uuid,
  add column webhook_leased_until bigint not null default 0,
  add check ((webhook_paused_at is null) = (webhook_pause_reason is null));
-- Whose deliveries go out: what a dispatcher that looks for work goes through.
create index bots_webhook on bots (org_id, id) where delivery = 'webhook' and active and webhook_paused_at is null;

-- An event on its way to the webhook of a bot, written with the event. Without foreign keys: it is removed with the
-- event, and written by the one writer of the organization who has just read the bot.
create table deliveries (
  org_id uuid not null,
  bot_id text collate "C" not null,
  seq bigint not null,
  id uuid not null, -- made from the event and the bot: the same whenever this delivery is made again
  topic_id uuid not null,
  state text not null default 'pending' check (state in ('pending', 'delivered', 'exhausted')),
  attempts integer not null default 0, -- so far; the number of the last one
  failures integer not null default 0, -- since it was queued or replayed: its place in the retry schedule
  due_at bigint not null,
  primary key (org_id, bot_id, seq)
) with (autovacuum_vacuum_scale_factor = 0.02); -- so that what was delivered does not stay in deliveries_due for long
-- What is due for a bot, the oldest first; holds nothing that is done.
create index deliveries_due on deliveries (org_id, bot_id, due_at, seq) where state = 'pending';
-- A delivery by the id that its receiver knows.
create unique index deliveries_id on deliveries (org_id, id);

create table delivery_attempts (
  org_id uuid not null,
  bot_id text collate "C" not null,
  seq bigint not null,
  number integer not null,
  at bigint not null,
  outcome text not null check (outcome in ('ok', 'timeout', 'refused', 'dns', 'tls', 'status', 'blocked', 'redirect')),
  status smallint,     -- of the answer, where there was one
  duration_ms integer not null,
  answer text,         -- its first 4 KiB
  error text,          -- what went wrong, where there was none
  primary key (org_id, bot_id, seq, number)
);
