-- Questions of bots that end: by enough answers, by their time, or by being withdrawn.
create table questions (
  org_id uuid not null,
  id uuid not null,
  asker_id text collate "C" not null,
  key text check (char_length(key) between 1 and 255),
  asked_hash text not null,
  topic_id uuid not null,
  message_id uuid not null,
  actions_id uuid not null,
  quorum integer not null,
  approval boolean not null,
  decisive text[] not null,
  otherwise text,
  status text not null default 'open' check (status in ('open', 'answered', 'expired', 'withdrawn')),
  element_id text,
  value text,
  decided_by uuid,
  expires_at bigint not null,
  created_at bigint not null,
  closed_at bigint,
  primary key (org_id, id)
);
create unique index questions_key on questions (org_id, asker_id, key) where key is not null;
create index questions_open on questions (org_id, asker_id) where status = 'open';
create index questions_due on questions (expires_at) where status = 'open';
