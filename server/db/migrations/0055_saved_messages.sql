-- Messages that somebody keeps for later, with or without a reminder.
create table saved_messages (
  org_id uuid not null,
  profile_id text collate "C" not null,
  message_id uuid not null,
  topic_id uuid not null,
  saved_at bigint not null,
  remind_at bigint,
  reminded_at bigint, -- when they were reminded
  primary key (org_id, profile_id, message_id),
  foreign key (org_id, profile_id) references profiles (org_id, id)
);
-- Reminders that are still to come, of all organizations: what is due next.
create index saved_messages_due on saved_messages (remind_at) where remind_at is not null and reminded_at is null;
-- The list of one person.
create index saved_messages_own on saved_messages (org_id, profile_id, saved_at, message_id);
-- Their reminders.
create index saved_messages_reminders on saved_messages (org_id, profile_id, remind_at, message_id) where remind_at is not null;
-- Who had saved a message that was deleted.
create index saved_messages_message on saved_messages (org_id, message_id);
