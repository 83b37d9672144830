-- What a bot keeps for itself, in all: the limits are checked against this row, and whoever changes an entry locks it first, so
-- that two changes cannot pass a limit together. Nobody waits for the organization's writer.
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
