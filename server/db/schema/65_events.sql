-- The log of events, and which bots each event is for.

-- The payload is stored once; its receivers are fixed when it is written. No foreign key to organizations: the writer has just locked the
-- organization's row in organization_logs.
create table events (
  org_id uuid not null,
  seq bigint not null,
  id uuid not null,
  type text not null,
  topic_id uuid not null,
  data json not null, -- json, not jsonb: it is written once and handed out as it is
  bot_ids text[] collate "C", -- the bots it is for; null in events of old versions, whose bots are in audience_rows
  created_at bigint not null,
  primary key (org_id, seq)
);
-- An update's id is itself a valid offset.
create unique index events_id on events (org_id, id);

-- The events for each bot: one row for each bot and 256 events of the log. The writer of the last event of a block
-- writes its rows, so that a bot that is far behind finds its own events without reading those of others. Events of the
-- last, open block are scanned.
create table audience_blocks (
  org_id uuid not null,
  bot_id text collate "C" not null,
  block bigint not null, -- seq >> 8
  places smallint[] not null, -- seq & 255
  primary key (org_id, bot_id, block)
);

-- Receivers of events from before there were blocks, until those events are too old. New databases have no row here.
create table audience_rows (
  org_id uuid not null,
  bot_id text collate "C" not null,
  seq bigint not null,
  primary key (org_id, bot_id, seq)
);

-- Events with the text of a message, besides the `message.created` that its id leads to: an edit or a deletion takes the words out of them.
create table message_events (
  org_id uuid not null,
  message_id uuid not null,
  seq bigint not null,
  has_words boolean not null default true, -- false once an edit has taken them out
  primary key (org_id, message_id, seq)
);
-- Events leave the log by their numbers.
create index message_events_seq on message_events (org_id, seq);
