-- Addresses that other programs post to: what comes in is written into one topic as one bot.
create table incoming_webhooks (
  org_id uuid not null,
  id uuid not null,
  bot_id text collate "C" not null,
  topic_id uuid not null,
  name text not null check (char_length(name) between 1 and 100),
  format text not null,
  template text check (char_length(template) between 1 and 2000),
  secret bytea, -- what senders prove themselves with, encrypted; null: the address alone suffices
  created_at bigint not null,
  updated_at bigint not null,
  primary key (org_id, id),
  foreign key (org_id, bot_id) references bots (org_id, id) on delete cascade,
  foreign key (org_id, topic_id) references topics (org_id, id) on delete cascade
);
-- The addresses of a bot; and those that go with it.
create index incoming_webhooks_bot on incoming_webhooks (org_id, bot_id, created_at);

-- What stands in an address, before its organization is known. While one is being replaced, the former one has an end.
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

-- The last calls of each address, without what they brought.
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
