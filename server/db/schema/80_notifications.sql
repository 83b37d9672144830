-- Notifications of people: in browsers, and by mail.

-- How a person wants to be notified in an organization; without a row the defaults count.
create table notification_settings (
  org_id uuid not null,
  profile_id text collate "C" not null,
  keywords text[] not null default '{}' check (cardinality(keywords) <= 20),
  quiet_from smallint check (quiet_from between 0 and 1439), -- minutes of the day in `time_zone`; null: no quiet hours
  quiet_to smallint check (quiet_to between 0 and 1439),
  time_zone text not null default 'UTC',
  not_while_active boolean not null default true,
  mail_after_minutes integer not null default 60 check (mail_after_minutes >= 0), -- 0: no mail
  mailed_at bigint, -- the last mail about missed messages: until the person has been back, the next waits for a day
  primary key (org_id, profile_id),
  foreign key (org_id, profile_id) references profiles (org_id, id),
  quiet_days smallint[] not null default '{}' -- days of the week in `time_zone`, 1 is Monday
    check (quiet_days <@ '{1,2,3,4,5,6,7}' and cardinality(quiet_days) <= 7),
  check ((quiet_from is null) = (quiet_to is null))
);
-- People whose keywords a message has to be compared with.
create index notification_settings_keywords on notification_settings (org_id) where keywords <> '{}';

-- How far an organization's log was read for notifications. A node locks the row while it reads.
create table notification_readers (
  org_id uuid primary key references organizations,
  position bigint not null
);

-- The browser of a session, as its push service named it. It ends with the session.
create table push_subscriptions (
  session_id uuid primary key references sessions (id) on delete cascade,
  account_id uuid not null references accounts,
  endpoint_hash bytea not null unique, -- a browser that signs in again moves to its new session
  subscription bytea not null, -- encrypted: whoever knows it can write to the browser
  created_at bigint not null
);
-- The browsers of a person, oldest first.
create index push_subscriptions_account on push_subscriptions (account_id, created_at);

-- Notifications that a browser must show (`due`), has shown (`shown`), or must close because the message was read (`closing`).
create table pushes (
  session_id uuid not null references push_subscriptions on delete cascade,
  message_id uuid not null,
  org_id uuid not null,
  profile_id text collate "C" not null,
  topic_id uuid not null,
  read_at uuid not null, -- read once a read position has reached it: the message's id, or its `appeared_id`
  state text not null default 'due' check (state in ('due', 'shown', 'closing')),
  attempts integer not null default 0,
  due_at bigint not null, -- lies ahead while a node is at it
  created_at bigint not null,
  primary key (session_id, message_id)
);
-- Notifications of a message that is deleted.
create index pushes_message on pushes (org_id, message_id);
-- The next that are due.
create index pushes_due on pushes (due_at) where state <> 'shown';
-- Notifications that a person may have read since.
create index pushes_shown on pushes (org_id, profile_id, topic_id) where state = 'shown';

-- Messages to be mailed to a person if they stay unread. A row goes when that mail is queued, or when the message was
-- read.
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
-- The next that are due.
create index missed_messages_due on missed_messages (due_at);
