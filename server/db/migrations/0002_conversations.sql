create table labels (
  org_id uuid not null references organizations,
  id uuid not null,
  name text not null check (char_length(name) between 1 and 64),
  name_key text not null, -- the name without regard to case
  created_at bigint not null,
  primary key (org_id, id)
);
create unique index labels_name on labels (org_id, name_key);
-- The label list, oldest first.
create index labels_list on labels (org_id, created_at, id);
alter table topics add foreign key (org_id, label_id) references labels (org_id, id) on delete set null (label_id);

-- Ids are time-ordered and given out by the organization's one writer: the order of ids is the order of commits, so
-- every list below is a range of an index on the id. No foreign key to topics: they are never deleted, and the
-- writer has just read the topic.
create table messages (
  org_id uuid not null,
  id uuid not null,
  topic_id uuid not null,
  sender_id text collate "C" not null,
  type text not null check (type in ('text', 'image', 'file', 'video', 'audio', 'location', 'task', 'contact', 'poll', 'call')),
  text text not null default '' check (char_length(text) <= 10000),
  mentions text[] not null default '{}',
  parent_id uuid,
  external_id text check (char_length(external_id) between 1 and 61),
  is_system boolean not null default false,
  is_edited boolean not null default false,
  reply_count integer not null default 0,
  reactions jsonb not null default '[]', -- [{emoji, count}], in the order of their first use; kept here so that a page is one read
  details jsonb,                         -- what is particular to the type: the poll, task, call, location or contact
  created_at bigint not null,
  updated_at bigint not null,
  primary key (org_id, id)
);
-- A topic's messages by age; the second without system messages; the third of one sender; the fourth of one thread.
create index messages_topic on messages (org_id, topic_id, id);
create index messages_said on messages (org_id, topic_id, id) where not is_system;
create index messages_sender on messages (org_id, topic_id, sender_id, id);
create index messages_thread on messages (org_id, parent_id, id) where parent_id is not null;

create table reactions (
  org_id uuid not null,
  id uuid not null,
  message_id uuid not null,
  profile_id text collate "C" not null,
  emoji text not null,
  created_at bigint not null,
  primary key (org_id, id),
  foreign key (org_id, message_id) references messages (org_id, id) on delete cascade
);
-- The same reaction of the same member counts once; also finds the reactions of a message.
create unique index reactions_once on reactions (org_id, message_id, profile_id, emoji);

-- Who has received and read what; the first time stands.
create table message_marks (
  org_id uuid not null,
  message_id uuid not null,
  profile_id text collate "C" not null,
  delivered_at bigint not null,
  read_at bigint,
  primary key (org_id, message_id, profile_id),
  foreign key (org_id, message_id) references messages (org_id, id) on delete cascade
);

create table tasks (
  org_id uuid not null,
  id uuid not null,
  topic_id uuid not null,
  title text not null check (char_length(title) between 1 and 256),
  description text not null default '' check (char_length(description) <= 10000),
  status text not null default 'Open' check (status in ('Open', 'Done')),
  assignee text collate "C" not null default '', -- empty: nobody
  due_date bigint not null default 0,            -- 0: none
  index integer not null check (index >= 0),     -- its number in the topic, from 0
  external_id text check (char_length(external_id) between 1 and 100),
  created_by text collate "C" not null,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (org_id, id),
  foreign key (org_id, topic_id) references topics (org_id, id)
);
-- A topic's tasks of one status by age; the second of one assignee. A list of both statuses merges two ranges, so that
-- every combination of filters is a range of one of the two. The first has a condition that always holds and that only
-- lists without an assignee name: otherwise the planner walks through it for the tasks of somebody who has most tasks
-- but none in this topic (10,000 rows read for 0 found).
create index tasks_list on tasks (org_id, topic_id, status, id) where index >= 0;
create index tasks_assignee on tasks (org_id, topic_id, assignee, status, id);
-- The highest number so far.
create unique index tasks_index on tasks (org_id, topic_id, index);

create table polls (
  org_id uuid not null,
  id uuid not null,
  topic_id uuid not null,
  message_id uuid not null, -- the message that shows it
  question text not null check (char_length(question) between 1 and 500),
  subtitle text check (char_length(subtitle) between 1 and 1000),
  selection_type text not null check (selection_type in ('single', 'multiple')),
  anonymous boolean not null,
  status text not null default 'active' check (status in ('active', 'closed')),
  expires_at bigint,
  options jsonb not null, -- [{id, text}]
  created_by text collate "C" not null,
  created_at bigint not null,
  primary key (org_id, id),
  foreign key (org_id, topic_id) references topics (org_id, id)
);

create table poll_votes (
  org_id uuid not null,
  poll_id uuid not null,
  voter_id text collate "C" not null,
  option_id text not null check (char_length(option_id) = 6),
  created_at bigint not null,
  primary key (org_id, poll_id, voter_id, option_id),
  foreign key (org_id, poll_id) references polls (org_id, id) on delete cascade
);

create table org_units (
  org_id uuid not null references organizations,
  id uuid not null,
  name text not null check (char_length(name) between 1 and 100),
  tag text not null check (char_length(tag) between 1 and 64),
  tag_key text not null, -- the tag without regard to case
  type text not null check (type in ('Team', 'Location')),
  created_at bigint not null,
  updated_at bigint not null,
  primary key (org_id, id)
);
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
