-- First the table that every writer locks first: whoever waits for this holds nothing that is needed below.
alter table organization_logs add column counted_message_id uuid; -- where the last count of message_counts ended

-- How people sign in. An account without a password has a passkey, or comes from single sign-on, or was only invited.
alter table accounts
  add column password text, -- scrypt, with its parameters and salt
  add column password_changed_at bigint;

create table sessions (
  token_hash bytea primary key,
  id uuid not null unique,
  account_id uuid not null references accounts,
  user_agent text not null,
  created_at bigint not null,
  last_seen_at bigint not null, -- to the hour, so that reading does not write
  expires_at bigint not null
);
create index sessions_account on sessions (account_id);
create index sessions_expiry on sessions (expires_at);

create table passkeys (
  credential_id text primary key, -- base64url, as browsers send it
  id uuid not null unique,
  account_id uuid not null references accounts,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  name text not null,
  created_at bigint not null,
  last_used_at bigint
);
create index passkeys_account on passkeys (account_id);

-- An account at a provider of single sign-on.
create table external_accounts (
  issuer text not null,
  subject text not null,
  account_id uuid not null references accounts,
  created_at bigint not null,
  primary key (issuer, subject)
);
create index external_accounts_account on external_accounts (account_id);

-- What works once and for a short time: links to set a password, challenges of passkeys, sign-ins under way.
create table one_time_tokens (
  token_hash bytea primary key,
  purpose text not null,
  account_id uuid references accounts,
  data jsonb not null,
  expires_at bigint not null
);
create index one_time_tokens_expiry on one_time_tokens (expires_at);
-- A new link to set a password ends the ones before.
create index one_time_tokens_account on one_time_tokens (account_id) where account_id is not null;

create index profiles_account on profiles (account_id) where account_id is not null;
create index invitations_profile on invitations (org_id, profile_id);

-- Null: the server's setting.
alter table organizations add column retention_days double precision check (retention_days > 0);

-- Messages of a day, in UTC. Counted when somebody looks, from where the last count ended.
create table message_counts (
  org_id uuid not null,
  day date not null,
  count bigint not null,
  primary key (org_id, day)
);

-- Who changed what. Written with the change; nothing changes or removes a row.
create table audit_log (
  org_id uuid not null,
  id uuid not null, -- time-ordered
  at bigint not null,
  actor_kind text not null check (actor_kind in ('person', 'bot', 'operator', 'server')),
  actor_id text collate "C",
  actor_name text,
  action text not null,
  target_type text not null,
  target_id text not null,
  target_name text not null,
  changes jsonb not null,
  primary key (org_id, id)
);
create index audit_log_target on audit_log (org_id, target_id, id);
create index audit_log_kind on audit_log (org_id, target_type, id);
create index audit_log_actor on audit_log (org_id, actor_id, id) where actor_id is not null;

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'the audit log cannot be changed';
end
$$;
create trigger audit_log_stays before update or delete on audit_log for each row execute function refuse_change();
create trigger audit_log_is_not_emptied before truncate on audit_log for each statement execute function refuse_change();
