-- Messages that somebody was to be told of: what they have not read after a while, they are told by mail. A row goes when
-- that mail is queued, or when there is nothing left to tell.
create table missed_messages (
  org_id uuid not null,
  profile_id text collate "C" not null,
  message_id uuid not null,
  topic_id uuid not null,
  read_at uuid not null, -- read once a read position has reached it
  due_at bigint not null,
  primary key (org_id, profile_id, message_id),
  foreign key (org_id, profile_id) references profiles (org_id, id)
);
create index missed_messages_due on missed_messages (due_at);

-- When somebody was last told by mail of what they missed: until they have been back, the next waits for a day.
alter table notification_settings add column mailed_at bigint;
