-- What search looks through: the words of each message, filled from the log by a worker (server/search/indexer.ts), so that a send does
-- nothing for it. All of it can be made again from the messages, and is unlogged: writing it costs no write-ahead log, backups leave
-- it out, and after a crash of the database, which empties the three tables together, the worker begins anew with the newest.
create unlogged table search_entries (
  org_id uuid not null,
  id uuid not null, -- of the message; of a task it is the message that tells of its creation
  topic_id uuid not null,
  task_id uuid,
  -- What filters ask for, as texts: the organization (`o:`), its segment (`s:`), topic (`t:`), sender (`f:`), who is mentioned
  -- (`m:`), and what it has (`h:file`).
  marks text[] not null,
  words tsvector not null, -- as they were written, with places; and their English and German stems, without
  primary key (org_id, id)
);
-- Words and filters in one index: their lists are intersected inside it, and only what fits all of them is read from the table. A
-- short list of pending rows, since every search reads through it.
create index search_entries_words on search_entries using gin (words, marks) with (gin_pending_list_limit = 512);
-- The entry of a task, when it changes.
create index search_entries_task on search_entries (org_id, task_id) where task_id is not null;

-- Stretches of some thousand messages of an organization, by age: a message is in the last one that begins at or before its id. A
-- search for the newest looks into the newest segments first, and what it costs depends on what it finds, not on what there is.
create unlogged table search_segments (
  org_id uuid not null,
  first_id uuid not null,
  name uuid not null, -- in marks; unlike `first_id` of the oldest segment no other organization has it
  entries integer not null default 0,
  primary key (org_id, first_id)
);

-- How far the worker has come in each organization. Whoever works there holds this row.
create unlogged table search_positions (
  org_id uuid primary key,
  seq bigint not null, -- events of the log up to here are in
  older_than uuid      -- messages before this one are not in yet; null: all are
);

-- However messages are deleted, they leave the search with them. Sends do not come through here.
create function forget_searched() returns trigger language plpgsql as $$
begin
  delete from search_entries e using gone g where e.org_id = g.org_id and e.id = g.id;
  return null;
end $$;
create trigger messages_searched after delete on messages referencing old table as gone
  for each statement execute function forget_searched();

create function forget_searched_organization() returns trigger language plpgsql as $$
begin
  delete from search_entries where org_id = old.org_id;
  delete from search_segments where org_id = old.org_id;
  delete from search_positions where org_id = old.org_id;
  return null;
end $$;
create trigger organizations_searched after delete on organizations
  for each row execute function forget_searched_organization();

-- Names as search compares them, without regard to case and accents; see server/search/words.ts.
create function search_name(p_name text) returns text language sql immutable parallel safe as $$
  select case when p_name ~ '^[\x01-\x7f]*$' then lower(p_name)
    else lower(replace(regexp_replace(normalize(lower(p_name), nfkd), '[\u0300-\u036f]', '', 'g'), 'ß', 'ss')) end
$$;
