-- Accounts: people across organizations, and how they sign in.

-- An account without a password has a passkey, comes from single sign-on, or was only invited.
create table accounts (
  id uuid primary key,
  email text not null,
  email_key text not null unique, -- the address without regard to case
  email_proven boolean not null default false, -- proven by a mailed link, single sign-on or an operator
  password text, -- scrypt, with its parameters and salt
  password_changed_at bigint,
  created_at bigint not null
);

create table sessions (
  token_hash bytea primary key,
  id uuid not null unique,
  account_id uuid not null references accounts,
  -- One factor (a password, of here or of a directory) or two: a password and a code, a passkey that verified its user, or a provider of
  -- single sign-on.
  signed_in_with text not null default 'password'
    check (signed_in_with in ('password', 'code', 'passkey', 'sign-on', 'directory', 'directory-code')),
  user_agent text not null,
  created_at bigint not null,
  last_seen_at bigint not null, -- to the hour, so that reading does not write
  expires_at bigint not null
);
-- The sessions of a person, to list and to end them.
create index sessions_account on sessions (account_id);
-- A worker removes expired ones.
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
-- The passkeys of a person.
create index passkeys_account on passkeys (account_id);

-- Accounts at providers of single sign-on.
create table external_accounts (
  issuer text not null,
  subject text not null,
  account_id uuid not null references accounts,
  created_at bigint not null,
  name_hash bytea, -- of the name in a directory: another one renames the person
  primary key (issuer, subject)
);
-- The providers of a person.
create index external_accounts_account on external_accounts (account_id);

-- Codes of an authenticator app.
create table second_factors (
  account_id uuid primary key references accounts,
  secret bytea not null, -- encrypted
  started_at bigint not null,
  enabled_at bigint, -- null until the first code was right
  last_step bigint not null default 0 -- the 30 seconds whose code was used last: no code works twice
);

-- Each code works once, and is deleted when it was used.
create table recovery_codes (
  account_id uuid not null references accounts,
  code_hash bytea not null,
  primary key (account_id, code_hash)
);

-- Tokens that work once and for a short time: links to set a password, challenges of passkeys, sign-ins under way.
create table one_time_tokens (
  token_hash bytea primary key,
  purpose text not null,
  account_id uuid references accounts,
  data jsonb not null,
  expires_at bigint not null
);
-- A worker removes expired ones.
create index one_time_tokens_expiry on one_time_tokens (expires_at);
-- A new link to set a password ends the ones before.
create index one_time_tokens_account on one_time_tokens (account_id) where account_id is not null;
