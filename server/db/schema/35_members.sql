-- Members of organizations: profiles of people and bots, ways to join, org units, assistants of people.

create table profiles (
  org_id uuid not null references organizations,
  id text collate "C" not null check (id ~ '^(b@)?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$'),
  kind text not null check (kind in ('user', 'bot')),
  name text not null check (char_length(name) between 1 and 100),
  status text not null check (status in ('Pending', 'Active', 'Deleted', 'Archived')),
  role text not null default 'member' check (role in ('owner', 'admin', 'member', 'guest')),
  guest_until bigint, -- the end of a guest's access; null: none is set
  external_id text,
  created_at bigint not null,
  updated_at bigint not null,

  -- Identity of a person.
  account_id uuid references accounts,
  email text not null default '',
  email_key text, -- the address without regard to case; null for bots
  phone text not null default '',
  needs_proof boolean not null default false, -- the account must prove its address before it opens this organization
  sessions_ended_at bigint not null default 0, -- sessions that began up to this time do not open this organization
  invite_at bigint, -- when the invitation that an admin asked for goes out, at the earliest; null: none waits
  invite_by text collate "C", -- the admin who asked for it
  reading_allowed_by text collate "C", -- the owner who allowed this admin to read content with a reason; null: not allowed
  last_seen_at bigint, -- to the hour, so that reading does not write; null: not since this is kept
  erased_at bigint, -- set: the person was erased on request; the nameless row stays for all that refers to it

  -- Profile of a person.
  title text not null default '' check (char_length(title) <= 100),
  time_zone text not null default '' check (char_length(time_zone) <= 64), -- such as Europe/Berlin
  photo_file_id uuid,
  status_text text not null default '' check (char_length(status_text) <= 100),
  status_emoji text not null default '' check (char_length(status_emoji) <= 32),
  status_until bigint, -- past it the status is not shown; nothing clears it
  dnd_until bigint, -- until then no notification and no mail
  appears_away boolean not null default false,

  primary key (org_id, id),
  check ((kind = 'bot') = (id like 'b@%')),
  constraint profiles_guest_end check (guest_until is null or role = 'guest')
);
-- An address belongs to one profile of an organization; also serves the filter `emails` of the member list.
create unique index profiles_email on profiles (org_id, email_key) where email_key is not null;
-- The organizations of an account.
create index profiles_account on profiles (account_id) where account_id is not null;
-- The member list: one status, oldest first.
create index profiles_list on profiles (org_id, status, created_at, id);
-- All members, whatever their status, oldest first.
create index profiles_age on profiles (org_id, created_at, id);
-- The console's list of people, one status at a time, by name and by last visit.
create index profiles_by_name on profiles (org_id, status, lower(name), id) where kind = 'user';
create index profiles_by_last_seen on profiles (org_id, status, (coalesce(last_seen_at, 0)), id) where kind = 'user';
-- The guests of a topic, and whether an organization has any.
create index profiles_guests on profiles (org_id, id) where role = 'guest';
-- Guests whose access ends, in the order of their ends, for the worker that archives them.
create index profiles_guest_ends on profiles (guest_until, org_id, id) where guest_until is not null and status in ('Active', 'Pending');
-- Invitations that wait, for the worker that sends them.
create index profiles_invitations on profiles (invite_at, org_id, id) where invite_at is not null and status = 'Pending';
-- The person that an identity provider asks for by its own id.
create index profiles_external_id on profiles (org_id, external_id) where external_id is not null;

-- Invitations are looked up before the organization is known.
create table invitations (
  token_hash bytea primary key,
  org_id uuid not null,
  profile_id text collate "C" not null,
  expires_at bigint not null,
  accepted_at bigint,
  by_hand boolean not null default false, -- an admin saw the link: accepting it proves nothing about the address
  foreign key (org_id, profile_id) references profiles (org_id, id)
);
-- The invitations of a member, which a new one ends.
create index invitations_profile on invitations (org_id, profile_id);

-- Links by which people with an address of certain domains can join, until they end.
create table join_links (
  org_id uuid not null references organizations,
  id uuid not null,
  token_hash bytea not null unique, -- finds the link before its organization is known
  token bytea not null, -- encrypted: admins copy the link again
  domains text[] not null check (cardinality(domains) between 1 and 10),
  max_uses integer check (max_uses > 0), -- null: no limit
  uses integer not null default 0,
  expires_at bigint not null,
  created_by text collate "C" not null,
  created_at bigint not null,
  primary key (org_id, id)
);

-- People who asked to join by a link, and were sent a mail to prove their address with.
create table join_requests (
  token_hash bytea primary key,
  org_id uuid not null,
  link_id uuid not null,
  email text not null,
  email_key text not null,
  expires_at bigint not null,
  created_at bigint not null,
  foreign key (org_id, link_id) references join_links (org_id, id) on delete cascade
);
-- How many mails a link had sent lately; also finds the requests that are deleted with their link.
create index join_requests_link on join_requests (org_id, link_id, created_at);

create table org_units (
  org_id uuid not null references organizations,
  id uuid not null,
  name text not null check (char_length(name) between 1 and 100),
  tag text not null check (char_length(tag) between 1 and 64),
  tag_key text not null, -- the tag without regard to case
  type text not null check (type in ('Team', 'Location')),
  created_at bigint not null,
  updated_at bigint not null,
  external_id text, -- the group's id at the identity provider that made it by SCIM
  primary key (org_id, id)
);
-- The unit that an identity provider asks for by its own id.
create index org_units_external_id on org_units (org_id, external_id) where external_id is not null;
-- A tag belongs to one unit.
create unique index org_units_tag on org_units (org_id, tag_key);
-- The list of org units, oldest first.
create index org_units_list on org_units (org_id, created_at, id);

create table org_unit_members (
  org_id uuid not null,
  org_unit_id uuid not null,
  profile_id text collate "C" not null,
  joined_at bigint not null,
  primary key (org_id, org_unit_id, profile_id),
  foreign key (org_id, org_unit_id) references org_units (org_id, id),
  foreign key (org_id, profile_id) references profiles (org_id, id)
);
-- The units of one member.
create index org_unit_members_of on org_unit_members (org_id, profile_id);

-- Groups that people made themselves, to mention them. They give no rights: org units alone restrict who sees whom.
create table member_groups (
  org_id uuid not null references organizations,
  id uuid not null,
  name text not null check (char_length(name) between 1 and 100),
  tag text not null check (char_length(tag) between 1 and 64),
  tag_key text not null, -- the tag without regard to case; no org unit has it when the group gets it
  description text not null default '' check (char_length(description) <= 500),
  owner_id text collate "C" not null,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (org_id, id),
  foreign key (org_id, owner_id) references profiles (org_id, id)
);
-- A tag belongs to one group.
create unique index member_groups_tag on member_groups (org_id, tag_key);

create table member_group_members (
  org_id uuid not null,
  group_id uuid not null,
  profile_id text collate "C" not null,
  joined_at bigint not null,
  primary key (org_id, group_id, profile_id),
  foreign key (org_id, group_id) references member_groups (org_id, id),
  foreign key (org_id, profile_id) references profiles (org_id, id)
);
-- The groups of one member.
create index member_group_members_of on member_group_members (org_id, profile_id);

-- Assistants that people connected: each acts for one person in one organization, until it ends.
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
-- The assistants of a person.
create index assistants_profile on assistants (org_id, profile_id, created_at);
-- A worker removes expired ones.
create index assistants_expiry on assistants (expires_at);

-- Codes, access tokens and refresh tokens of assistants, looked up before the organization is known. Used ones stay for a while, so that a second
-- use is noticed.
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
-- The tokens that end with their assistant.
create index assistant_tokens_assistant on assistant_tokens (org_id, assistant_id);
-- A worker removes expired ones.
create index assistant_tokens_expiry on assistant_tokens (expires_at);

-- Tokens of services outside: an identity provider manages people and org units by SCIM, a program reads the audit log. They are looked up
-- before the organization is known. While one is being replaced, the former one has an end.
create table scim_tokens (
  token_hash bytea primary key, -- of kind and token
  org_id uuid not null,
  kind text not null default 'scim' check (kind in ('scim', 'audit')),
  id uuid not null,
  valid_until bigint,
  created_by text collate "C" not null,
  created_at bigint not null,
  last_used_at bigint -- to the minute, so that reading does not write
);
-- One current token of a kind and one former one at most.
create unique index scim_tokens_kind on scim_tokens (org_id, kind, (valid_until is null));

-- Names of people at their identity provider, which profiles have no place for.
create table scim_people (
  org_id uuid not null,
  profile_id text collate "C" not null,
  user_name text not null,
  user_name_key text not null, -- the name without regard to case
  given_name text not null default '',
  family_name text not null default '',
  primary key (org_id, profile_id),
  foreign key (org_id, profile_id) references profiles (org_id, id)
);
-- A user name belongs to one person of an organization.
create unique index scim_people_user_name on scim_people (org_id, user_name_key);
