create table rehearsals (
  org_id uuid not null,
  id uuid not null,
  bot_id text collate "C" not null,
  started_by text collate "C" not null,
  name text not null,
  token_hash bytea not null,
  from_at bigint not null,
  to_seq bigint not null,
  heard_seq bigint not null,
  heard_at bigint not null,
  current_seq bigint,
  current_tries integer not null default 0,
  events integer not null default 0,
  sayings integer not null default 0,
  bytes bigint not null default 0,
  tokens bigint not null default 0,
  storage_version bigint not null default 0,
  created_at bigint not null,
  expires_at bigint not null,
  over_at bigint,
  delete_at bigint not null,
  primary key (org_id, id)
);
create index rehearsals_bot on rehearsals (org_id, bot_id, id);
create index rehearsals_delete_at on rehearsals (delete_at);

create table rehearsal_events (
  org_id uuid not null,
  rehearsal_id uuid not null,
  seq bigint not null,
  type text not null,
  topic_id uuid not null,
  message_id uuid,
  thread_id uuid,
  actor_id text collate "C" not null,
  at bigint not null,
  heard_at bigint not null,
  primary key (org_id, rehearsal_id, seq)
);

create table rehearsal_sayings (
  org_id uuid not null,
  rehearsal_id uuid not null,
  number integer not null,
  event_seq bigint not null,
  kind text not null,
  id uuid not null,
  topic_id uuid,
  message_id uuid,
  text text not null default '',
  data jsonb not null default '{}',
  key text,
  bytes integer not null,
  said_at bigint not null,
  primary key (org_id, rehearsal_id, number)
);
create index rehearsal_sayings_event on rehearsal_sayings (org_id, rehearsal_id, event_seq, number);
create index rehearsal_sayings_id on rehearsal_sayings (org_id, rehearsal_id, id);

create table rehearsal_storage (
  org_id uuid not null,
  rehearsal_id uuid not null,
  key text collate "C" not null,
  value text not null,
  bytes integer not null,
  version bigint not null,
  updated_at bigint not null,
  primary key (org_id, rehearsal_id, key)
);

-- once placed
alter table rehearsals add foreign key (org_id, bot_id) references bots (org_id, id) on delete cascade;
alter table rehearsal_events add foreign key (org_id, rehearsal_id) references rehearsals (org_id, id) on delete cascade;
alter table rehearsal_sayings add foreign key (org_id, rehearsal_id) references rehearsals (org_id, id) on delete cascade;
alter table rehearsal_storage add foreign key (org_id, rehearsal_id) references rehearsals (org_id, id) on delete cascade;
