-- Words that nobody may send; null: none. Texts are checked in memory, with what nodes know of topics, so that changing them
-- moves the version of that.
alter table organizations add column blocked_words text[] check (cardinality(blocked_words) between 1 and 200);
create trigger organizations_blocked_words after update of blocked_words on organizations for each row
  when (old.blocked_words is distinct from new.blocked_words) execute function move_shape();

-- Messages that people have reported to their admins. What was said is kept with the report: its sender may change it.
create table message_reports (
  org_id uuid not null references organizations (org_id) on delete cascade,
  id uuid not null,
  message_id uuid not null,
  topic_id uuid not null,
  sender_id text collate "C" not null,
  text text not null, -- of the message, when it was reported
  reporter_id text collate "C" not null,
  reason text not null,
  created_at bigint not null,
  outcome text check (outcome in ('deleted', 'dismissed')), -- null: open
  decided_by text collate "C",
  decided_at bigint,
  primary key (org_id, id),
  foreign key (org_id, sender_id) references profiles (org_id, id),
  foreign key (org_id, reporter_id) references profiles (org_id, id)
);
-- The lists of open and of decided ones.
create index message_reports_listed on message_reports (org_id, (outcome is null), id);
-- All that are about one message: they are decided together.
create index message_reports_message on message_reports (org_id, message_id);
-- How often somebody reported something lately.
create index message_reports_reporter on message_reports (org_id, reporter_id, id);
