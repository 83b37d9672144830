-- The least version of request signatures that a bot accepts: 1 (both) or 2 (only signatures over the whole request).
alter table bots add column signature_version smallint not null default 1 check (signature_version in (1, 2));

-- Nonces of signatures of version 2, each accepted once while its time is. A hash, so that rows are small whatever is sent.
-- No index by time: the table holds ten minutes of requests, and is looked through once a minute to forget the oldest.
create table request_nonces (
  org_id uuid not null,
  bot_id text not null,
  nonce_hash bytea not null,
  expires_at bigint not null,
  primary key (org_id, bot_id, nonce_hash)
);
