-- What is in the store of files, kept or about to be removed. Links name a file before its organization is known, so
-- the id alone is the key. A file is registered before it is written, and removed from the store before it is
-- forgotten here: whatever crashes, nothing is in the store that this table does not know.
create table stored_files (
  id uuid primary key,
  content_type text not null,
  size bigint not null,
  sweep_at bigint -- when it may be removed; null as long as something refers to it
);
create index stored_files_sweep on stored_files (sweep_at) where sweep_at is not null;

-- [{id, type, name, contentType, size, width, height, duration, thumbnail, transcription}]: here, and not in a table of
-- their own, so that a page of messages is one read.
alter table messages add column attachments jsonb;

-- Messages whose files are being processed. They become messages, under the same id, in one transaction.
create table pending_messages (
  org_id uuid not null,
  id uuid not null,
  topic_id uuid not null,
  sender_id text collate "C" not null,
  text text not null,
  mentions text[] not null,
  parent_id uuid,
  external_id text,
  attachments jsonb not null,
  compress_images boolean not null,
  marks jsonb not null default '{}', -- {profileId: {deliveredAt, readAt}}: who marked it before it appeared
  created_at bigint not null,
  primary key (org_id, id)
);

-- Work that is done after the transaction that asked for it: `due_at` lies ahead while somebody is at it, so that it
-- comes up again when that one dies. `attempts` counts tries that were begun, and tells whose try a result is of.
create table jobs (
  id uuid primary key,
  org_id uuid not null,
  kind text not null,
  message_id uuid not null,
  attachment_id uuid,
  attempts integer not null default 0,
  due_at bigint not null,
  created_at bigint not null
);
create index jobs_due on jobs (kind, due_at);

alter table topics add column cover_file_id uuid;
alter table organizations add column logo_file_id uuid;
