-- The nodes that run, as each said last, for operators. Unlogged: after a crash they say it anew, and backups leave it out.
create unlogged table nodes (
  id uuid primary key,
  name text not null, -- host and process
  version text not null,
  roles text[] not null,
  started_at bigint not null,
  seen_at bigint not null,
  state jsonb not null
);
