create table scim_tokens (
  token_hash bytea primary key,
  org_id uuid not null,
  id uuid not null,
  valid_until bigint,
  created_by text collate "C" not null,
  created_at bigint not null,
  last_used_at bigint
);
create unique index scim_tokens_organization on scim_tokens (org_id, (valid_until is null));

create table scim_people (
  org_id uuid not null,
  profile_id text collate "C" not null,
  user_name text not null,
  user_name_key text not null,
  given_name text not null default '',
  family_name text not null default '',
  primary key (org_id, profile_id)
);
create unique index scim_people_user_name on scim_people (org_id, user_name_key);

create index profiles_external_id on profiles (org_id, external_id) where external_id is not null;

alter table org_units add column external_id text;
create index org_units_external_id on org_units (org_id, external_id) where external_id is not null;

alter table audit_log drop constraint audit_log_actor_kind_check;
alter table audit_log add constraint audit_log_actor_kind_check
  check (actor_kind in ('person', 'bot', 'operator', 'server', 'scim')) not valid;
alter table audit_log validate constraint audit_log_actor_kind_check;

-- once placed
alter table scim_people add foreign key (org_id, profile_id) references profiles (org_id, id);
