-- Search is made again in tables that survive a crash of the database, with words and filters in one list of terms, so that a search can
-- exclude and offer alternatives of both.
create table search_documents (
  org_id uuid not null,
  id uuid not null, -- of the message; of a task it is the message that tells of its creation
  topic_id uuid not null,
  task_id uuid,
  -- Words as they were written, with places. Without places: their stems, each with its language (`de:rechnung`), and the values of filters: the
  -- range (`s:`), topic (`t:`), sender (`f:`), mentions (`m:`), reactions (`r:`), what the message has (`h:file`) and what it is (`i:thread`).
  terms tsvector not null,
  primary key (org_id, id)
);
-- Words and filters in one index: their lists are intersected inside it, and only rows that fit all of them are read from the table. The list of
-- pending rows is short, since every search reads through it.
create index search_documents_terms on search_documents using gin (terms) with (gin_pending_list_limit = 512);
-- The document of a task, when it changes.
create index search_documents_task on search_documents (org_id, task_id) where task_id is not null;

-- Some thousand documents of an organization each, by age: a document is in the last range that begins at or before its id. A search for the
-- newest looks into the newest ranges first, and costs what it finds, not what there is.
create table search_ranges (
  org_id uuid not null,
  first_id uuid not null,
  name uuid not null, -- in terms; unlike `first_id` of the oldest range, no other organization has it
  documents integer not null default 0, -- about; one that was written twice may count twice
  primary key (org_id, first_id)
);

-- How far the worker has come in each organization. It locks the row while it works there.
create table search_progress (
  org_id uuid primary key,
  seq bigint not null, -- events of the log up to here are in
  older_than uuid,     -- messages before this one are not in yet; null: all are
  older_total bigint not null default 0, -- messages there were when the worker began with the newest
  older_done bigint not null default 0   -- those of them that are in
);

-- Messages that wait for the worker without an event in the log: imported ones, and those whose files were read.
create table search_waiting (
  org_id uuid not null,
  message_id uuid not null,
  primary key (org_id, message_id)
);

-- The text inside files, read once after the upload. Goes with the file, and as soon as nothing refers to the file.
create table search_file_texts (
  org_id uuid not null,
  file_id uuid not null,
  text text, -- null: not read yet; empty: the file has none
  messages uuid[] not null default '{}', -- that wait for it
  primary key (org_id, file_id)
);

-- Nodes of the version before search in these three, and fill them again. As logged tables they can be moved to another machine.
drop table search_entries, search_segments, search_positions;
create table search_entries (
  org_id uuid not null,
  id uuid not null,
  topic_id uuid not null,
  task_id uuid,
  marks text[] not null,
  words tsvector not null,
  primary key (org_id, id)
);
create index search_entries_words on search_entries using gin (words, marks) with (gin_pending_list_limit = 512);
create index search_entries_task on search_entries (org_id, task_id) where task_id is not null;

create table search_segments (
  org_id uuid not null,
  first_id uuid not null,
  name uuid not null,
  entries integer not null default 0,
  primary key (org_id, first_id)
);

create table search_positions (
  org_id uuid primary key,
  seq bigint not null,
  older_than uuid
);
