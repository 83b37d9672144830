-- Every writer locks a row of this table first: nobody who waits here holds what is altered below.
lock table organization_logs in exclusive mode;

-- Whether its people may connect assistants of their own.
alter table organizations add column allow_assistants boolean not null default true;

-- What a person did through an assistant: its name, as it was then.
alter table audit_log add column assistant_name text;

-- Programs that registered by themselves (RFC 7591), before anybody has allowed them anything. They have no secret.
create table oauth_clients (
  id text collate "C" primary key,
  name text not null,
  redirect_uris text[] not null,
  created_at bigint not null,
  used_at bigint -- when somebody last connected it; null: nobody has
);
-- Those that nobody uses are removed, the oldest first.
create index oauth_clients_age on oauth_clients (coalesce(used_at, created_at));

-- Assistants that people have connected: each acts for one person in one organization, until it ends.
create table assistants (
  org_id uuid not null,
  id uuid not null,
  profile_id text collate "C" not null,
  client_id text not null,
  name text not null,
  host text not null, -- where the code was sent to: a host, or the scheme of an app
  is_verified boolean not null, -- whether the host is known to be the program's own
  scopes text[] not null,
  signed_in_with text not null, -- of the session in which it was allowed: it can do no more than that
  created_at bigint not null,
  connected_at bigint, -- null until the code was exchanged
  last_used_at bigint, -- to the minute, so that reading does not write
  expires_at bigint not null,
  primary key (org_id, id),
  foreign key (org_id, profile_id) references profiles (org_id, id)
);
create index assistants_profile on assistants (org_id, profile_id, created_at);
create index assistants_expiry on assistants (expires_at);

-- Codes, access tokens and refresh tokens, by hash: what comes before the organization is known. Used ones stay for a while, so
-- that somebody who uses one again is noticed.
create table assistant_tokens (
  token_hash bytea primary key,
  org_id uuid not null,
  assistant_id uuid not null,
  kind text not null check (kind in ('code', 'access', 'refresh')),
  redirect_uri text, -- of a code
  code_challenge text, -- of a code: base64url of a SHA-256
  expires_at bigint not null,
  used_at bigint,
  foreign key (org_id, assistant_id) references assistants (org_id, id) on delete cascade
);
create index assistant_tokens_assistant on assistant_tokens (org_id, assistant_id);
create index assistant_tokens_expiry on assistant_tokens (expires_at);
