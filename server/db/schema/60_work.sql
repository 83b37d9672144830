-- Tasks and polls of topics.

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
  -- The task's position in the topic's list, once a person has moved it: between its neighbours, for which a number
  -- with any count of digits always has room. Null: its `index`.
  place numeric,
  external_id text check (char_length(external_id) between 1 and 100),
  created_by text collate "C" not null,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (org_id, id),
  foreign key (org_id, topic_id) references topics (org_id, id)
);
-- A topic's tasks of one status by age, and those of one assignee. A list of both statuses merges two ranges, so that every combination of
-- filters is a range of one of the two. The first has a condition that always holds and that only lists without an assignee name: otherwise
-- the planner scans it for the tasks of a person who has most tasks, but none in this topic (10,000 rows read for 0 found).
create index tasks_list on tasks (org_id, topic_id, status, id) where index >= 0;
create index tasks_assignee on tasks (org_id, topic_id, assignee, status, id);
-- The highest number so far.
create unique index tasks_index on tasks (org_id, topic_id, index);
-- A topic's tasks of one status in the order that people gave them.
create index tasks_place on tasks (org_id, topic_id, status, (coalesce(place, index::numeric)), id);
-- A person's tasks of one status, and those that a person made, by due date; tasks without one come last. They begin with the topic, so
-- that rows of topics that the person has left are never read.
create index tasks_assignee_due on tasks
  (org_id, topic_id, assignee, status, (coalesce(nullif(due_date, 0), 9223372036854775807)), id);
create index tasks_creator_due on tasks
  (org_id, topic_id, created_by, status, (coalesce(nullif(due_date, 0), 9223372036854775807)), id);

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
  version integer not null default 0, -- counts changes of the results, so that a browser can tell which of two states is newer
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
