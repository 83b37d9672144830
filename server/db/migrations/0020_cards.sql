-- Every writer locks a row of this table first: nobody who waits here holds what is altered below.
lock table organization_logs in exclusive mode;

-- Counts the changes to a poll's results, so that a browser can tell which of two states is the newer one.
alter table polls add column version integer not null default 0;

-- Where a task stands in the list of its topic, once somebody has moved it or another one: between its neighbours, for which
-- a number with any count of digits always has room. Null: its number in the topic, by which lists begin.
alter table tasks add column place numeric;

-- A topic's tasks of one status in the order that people gave them.
create index tasks_place on tasks (org_id, topic_id, status, (coalesce(place, index::numeric)), id);
-- Somebody's tasks of one status, and those that somebody made, by due date; what has none comes last. They begin with the
-- topic: who left it does not find them, and the rows of topics that are not theirs are never read.
create index tasks_assignee_due on tasks
  (org_id, topic_id, assignee, status, (coalesce(nullif(due_date, 0), 9223372036854775807)), id);
create index tasks_creator_due on tasks
  (org_id, topic_id, created_by, status, (coalesce(nullif(due_date, 0), 9223372036854775807)), id);
