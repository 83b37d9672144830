-- Files and the work that follows an upload.

-- The register of the store. Links name a file before its organization is known, so the id alone is the key. A file is registered before it is
-- written, and removed from the store before it is forgotten here: whatever crashes, the store holds nothing that this table does not know.
create table stored_files (
  id uuid primary key,
  org_id uuid, -- null: of an organization that is not founded yet (the logo of a sign-up)
  content_type text not null,
  size bigint not null,
  -- Messages that refer to the file besides the first one, since a forward copies no files. The last one to let go leaves it to the sweep.
  shares integer not null default 0 check (shares >= 0),
  sweep_at bigint -- when it may be removed; null as long as something refers to it
);
-- Files that may be removed.
create index stored_files_sweep on stored_files (sweep_at) where sweep_at is not null;

-- The size of an organization's files, without thumbnails, moved by triggers of stored_files.
create table organization_storage (
  org_id uuid primary key,
  used_bytes bigint not null default 0,
  quota_mb integer -- null: the server's setting; 0: no limit
);

-- Work that is done after the transaction that asked for it. `due_at` lies ahead while a node is at it, so that the job comes up again when that
-- node dies. `attempts` counts tries that were begun, and tells which try a result is of.
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
-- The jobs that are due.
create index jobs_due on jobs (kind, due_at);
-- Organizations take turns: from one to the next, and of each the job that is due first.
create index jobs_turns on jobs (kind, org_id, due_at);
