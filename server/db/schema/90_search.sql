-- Search: the words of each message, filled from the log by a worker (server/search/indexer.ts), so that a send does nothing for it.
-- All of it can be made again from the messages, and is unlogged: writing it costs no write-ahead log, backups leave it out, and after a
-- crash of the database, which empties the three tables together, the worker begins again with the newest message.
-- On a cluster they are logged (spread.ts).

create unlogged table search_entries (
  org_id uuid not null,
  id uuid not null, -- of the message; of a task it is the message that tells of its creation
  topic_id uuid not null,
  task_id uuid,
  -- Values of filters, as texts: the organization (`o:`), its segment (`s:`), topic (`t:`), sender (`f:`), mentions (`m:`), and what it has (`h:file`).
  marks text[] not null,
  words tsvector not null, -- as they were written, with places; and their English and German stems, without
  primary key (org_id, id)
);
-- Words and filters in one index: their lists are intersected inside it, and only rows that fit all of them are read from the table. The list of
-- pending rows is short, since every search reads through it.
create index search_entries_words on search_entries using gin (words, marks) with (gin_pending_list_limit = 512);
-- The entry of a task, when it changes.
create index search_entries_task on search_entries (org_id, task_id) where task_id is not null;

-- Stretches of some thousand messages of an organization, by age: a message is in the last one that begins at or before its id. A search for the
-- newest looks into the newest segments first, and costs what it finds, not what there is.
create unlogged table search_segments (
  org_id uuid not null,
  first_id uuid not null,
  name uuid not null, -- in marks; unlike `first_id` of the oldest segment, no other organization has it
  entries integer not null default 0,
  primary key (org_id, first_id)
);

-- How far the worker has come in each organization. It locks the row while it works there.
create unlogged table search_positions (
  org_id uuid primary key,
  seq bigint not null, -- events of the log up to here are in
  older_than uuid      -- messages before this one are not in yet; null: all are
);
