alter table organizations add column members_mention_many boolean not null default false;

create table member_groups (
  org_id uuid not null,
  id uuid not null,
  name text not null check (char_length(name) between 1 and 100),
  tag text not null check (char_length(tag) between 1 and 64),
  tag_key text not null,
  description text not null default '' check (char_length(description) <= 500),
  owner_id text collate "C" not null,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (org_id, id)
);
create unique index member_groups_tag on member_groups (org_id, tag_key);

create table member_group_members (
  org_id uuid not null,
  group_id uuid not null,
  profile_id text collate "C" not null,
  joined_at bigint not null,
  primary key (org_id, group_id, profile_id)
);
create index member_group_members_of on member_group_members (org_id, profile_id);

create index messages_mentioning_groups on messages (org_id, topic_id, id) where details ? 'groupMentions';
create index messages_mentioning_groups_in_threads on messages (org_id, parent_id, id)
  where details ? 'groupMentions' and parent_id is not null;

-- once placed
alter table member_groups add foreign key (org_id) references organizations;
alter table member_groups add foreign key (org_id, owner_id) references profiles (org_id, id);
alter table member_group_members add foreign key (org_id, group_id) references member_groups (org_id, id);
alter table member_group_members add foreign key (org_id, profile_id) references profiles (org_id, id);
