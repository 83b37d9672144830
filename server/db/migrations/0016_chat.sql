-- Every writer locks a row of this table first: nobody who waits here holds what is altered below.
lock table organization_logs in exclusive mode;

-- Open topics can be found, read and joined by every person of the organization. New people are in those that are joined by
-- default. Nobody writes in a topic that is archived. Of direct messages there is one for each set of members, which
-- `member_key` names: their ids, sorted, with commas between.
alter table topics
  add column open boolean not null default false,
  add column joined_by_default boolean not null default false,
  add column archived_at bigint,
  add column member_key text collate "C",
  add constraint topics_default_is_open check (open or not joined_by_default) not valid;

-- Direct messages that are there already; of several with the same members the oldest is the one that is found.
update topics t set member_key = x.member_key
from (
  select distinct on (y.org_id, y.member_key) y.* from (
    select m.org_id, m.topic_id, min(m.topic_created_at) as created_at,
      string_agg(m.profile_id, ',' order by m.profile_id) as member_key
    from topic_members m join topics t on t.org_id = m.org_id and t.id = m.topic_id
    where t.type = 'dm' group by m.org_id, m.topic_id
  ) y
  order by y.org_id, y.member_key, y.created_at, y.topic_id
) x
where t.org_id = x.org_id and t.id = x.topic_id;
create unique index topics_member_key on topics (org_id, member_key) where member_key is not null;
-- Open topics by name. Most topics are closed, and in neither index.
create index topics_open on topics (org_id, lower(name), id) where open and archived_at is null;
create index topics_joined_by_default on topics (org_id) where joined_by_default;

-- Who may write depends on these as well.
create trigger topics_archived after update of archived_at on topics for each row
  when (old.archived_at is distinct from new.archived_at) execute function move_shape();
create trigger profiles_status after update of status on profiles for each row
  when (old.status is distinct from new.status) execute function move_shape();

-- Requests of people are let in by what nodes remember of sessions: a role, and an account's address, are part of that.
create trigger profiles_role_told after update of role, account_id on profiles for each row
  when (old.account_id is not null and
    (old.role is distinct from new.role or old.account_id is distinct from new.account_id))
  execute function tell_changed_account();
create function tell_changed_address() returns trigger language plpgsql as $$
begin
  perform pg_notify('parley_sessions', old.id::text);
  return null;
end $$;
create trigger accounts_address after update of email on accounts for each row
  when (old.email is distinct from new.email) execute function tell_changed_address();
create trigger organizations_limits after update of rate_limit, rate_limit_ceiling on organizations for each row
  when (old.rate_limit is distinct from new.rate_limit or old.rate_limit_ceiling is distinct from new.rate_limit_ceiling)
  execute function tell_changed_organization();

-- What a person has done with a topic. A read position is the id of a message, which is time-ordered: everything up to it has
-- been read. It takes one row, however long the topic is. All zeros: nothing has been read, not even what was said before
-- they joined.
create table topic_states (
  org_id uuid not null,
  profile_id text collate "C" not null,
  topic_id uuid not null,
  read_to uuid, -- null: what was said before they joined
  muted boolean not null default false,
  favourite boolean not null default false,
  primary key (org_id, profile_id, topic_id),
  foreign key (org_id, profile_id) references profiles (org_id, id),
  foreign key (org_id, topic_id) references topics (org_id, id)
);
-- Until now people could not read. What was said until now is not waiting for them.
insert into topic_states (org_id, profile_id, topic_id, read_to)
select m.org_id, m.profile_id, m.topic_id,
  (lpad(to_hex((extract(epoch from now()) * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid
from topic_members m where not starts_with(m.profile_id, 'b@');

-- What was written and not sent. `parent_id` is all zeros where it is not a reply.
create table drafts (
  org_id uuid not null,
  profile_id text collate "C" not null,
  topic_id uuid not null,
  parent_id uuid not null default '00000000-0000-0000-0000-000000000000',
  text text not null check (char_length(text) between 1 and 10000),
  updated_at bigint not null,
  primary key (org_id, profile_id, topic_id, parent_id),
  foreign key (org_id, profile_id) references profiles (org_id, id),
  foreign key (org_id, topic_id) references topics (org_id, id)
);

create table pins (
  org_id uuid not null,
  topic_id uuid not null,
  message_id uuid not null,
  pinned_by text collate "C" not null,
  pinned_at bigint not null,
  primary key (org_id, topic_id, message_id),
  foreign key (org_id, topic_id) references topics (org_id, id)
);

-- Everybody of an organization, whatever their state, the oldest first.
create index profiles_age on profiles (org_id, created_at, id);
