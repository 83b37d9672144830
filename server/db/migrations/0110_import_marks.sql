-- The key of the hashes below; one for the whole installation, made at the first start. It stays when the secret key is replaced, since
-- what was hashed is not kept and cannot be hashed anew.
create table mark_keys (
  id smallint primary key default 1 check (id = 1),
  key bytea not null, -- encrypted
  created_at bigint not null
);

-- What an import must know again, by keyed hashes: who somebody of an export is here, addresses of people who were erased, and messages and
-- emoji that were deleted. No id of another product and no address is kept.
create table import_marks (
  org_id uuid not null references organizations (org_id) on delete cascade,
  hash bytea not null,
  profile_id text collate "C", -- of a person; missing: it was deleted
  primary key (org_id, hash)
);

-- The newest message that was deleted in a topic because its time was over: what an import has from before it does not come back, however
-- long messages are kept by now. One row for a topic instead of one for each of millions of messages.
create table retention_marks (
  org_id uuid not null references organizations (org_id) on delete cascade,
  topic_id uuid not null,
  deleted_to uuid not null,
  primary key (org_id, topic_id)
);
