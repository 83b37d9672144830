-- Every writer locks a row of this table first: nobody who waits here holds what is altered below.
lock table organization_logs in exclusive mode;

-- Whether a session rests on one factor (a password) or on two: a password and a code, a passkey that verified its user, or
-- a provider of single sign-on, which asks for what it asks for.
alter table sessions
  add column signed_in_with text not null default 'password'
    check (signed_in_with in ('password', 'code', 'passkey', 'sign-on'));

-- Sessions that began up to here do not open this organization: an admin ended them, or archived the member.
alter table profiles add column sessions_ended_at bigint not null default 0;

alter table organizations add column require_second_factor boolean not null default false;

-- A code from an authenticator app. `enabled_at` is null until the first code was right.
create table second_factors (
  account_id uuid primary key references accounts,
  secret bytea not null, -- encrypted
  started_at bigint not null,
  enabled_at bigint,
  last_step bigint not null default 0 -- the 30 seconds whose code was used last: no code works twice
);

-- Each works once, and is deleted when it was used.
create table recovery_codes (
  account_id uuid not null references accounts,
  code_hash bytea not null,
  primary key (account_id, code_hash)
);

-- Where a person's change came from, and a sign-in that failed.
alter table audit_log
  add column client_address text,
  add column client_user_agent text;

-- Live streams end with their session, on every node. Triggers tell, so that nobody who ends sessions can forget to. The
-- payload is the account, or the organization, whose open streams must be looked at again.
create function tell_ended_sessions() returns trigger language plpgsql as $$
begin
  perform pg_notify('parley_sessions', account_id::text) from (select distinct account_id from ended) accounts;
  return null;
end $$;
create function tell_changed_account() returns trigger language plpgsql as $$
begin
  perform pg_notify('parley_sessions', old.account_id::text);
  return null;
end $$;
create function tell_changed_organization() returns trigger language plpgsql as $$
begin
  perform pg_notify('parley_sessions', old.org_id::text);
  return null;
end $$;

create trigger sessions_ended after delete on sessions
  referencing old table as ended for each statement execute function tell_ended_sessions();
create trigger sessions_weakened after update of signed_in_with on sessions for each row
  when (old.signed_in_with is distinct from new.signed_in_with) execute function tell_changed_account();
create trigger profiles_put_out after update of status, sessions_ended_at on profiles for each row
  when (old.account_id is not null and
    (old.status is distinct from new.status or old.sessions_ended_at is distinct from new.sessions_ended_at))
  execute function tell_changed_account();
create trigger organizations_tightened after update of require_second_factor on organizations for each row
  when (old.require_second_factor is distinct from new.require_second_factor)
  execute function tell_changed_organization();
