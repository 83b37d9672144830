-- Messages that a bot is still writing. The text is in the memory of one node (`holder`) and is kept here at most once a second;
-- the row goes when it ends, and the message comes in its place. Half of each page is left free, so that a new text goes into
-- the same page and no index is touched.
create table streaming_messages (
  org_id uuid not null,
  id uuid not null, -- of the message that it becomes
  topic_id uuid not null,
  sender_id text collate "C" not null,
  parent_id uuid,
  external_id text,
  text text not null default '' check (char_length(text) <= 10000),
  version integer not null default 0, -- grows with each change that people were shown
  last_key text, -- of the last append: its Idempotency-Key and the hash of its request
  holder uuid, -- the node that has it in memory; null: none
  created_at bigint not null,
  touched_at bigint not null, -- when its bot last gave a sign of life, to the second
  primary key (org_id, id)
) with (fillfactor = 50);
-- Those whose bots have fallen silent.
create index streaming_messages_touched on streaming_messages (touched_at) with (fillfactor = 50);
