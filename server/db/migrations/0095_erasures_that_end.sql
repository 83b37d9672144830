-- A finished erasure stays as a row, without names, so that admins see that it is done.
alter table erasures add column asked_at bigint not null default 0;
update erasures set asked_at = due_at;
alter table erasures add column asked_by text collate "C"; -- missing: a command on the server
alter table erasures add column finished_at bigint;
alter table erasures add column failures integer not null default 0; -- attempts in a row that failed

-- Empty once it is finished. One that fails is due later each time, and those behind it go on meanwhile.
alter table erasures alter column due_at drop not null;
drop index erasures_due;
create index erasures_due on erasures (due_at) where due_at is not null;
-- The list that admins see, the newest first.
create index erasures_asked on erasures (org_id, asked_at, profile_id);

-- Answers to forms of bots are gone through too.
alter table erasures drop constraint erasures_step_check;
alter table erasures add constraint erasures_step_check check (step in ('own', 'answers', 'messages', 'audit', 'log'));
