-- Every writer locks a row of this table first: nobody who waits here holds what is altered below.
lock table organization_logs in exclusive mode;

-- How much of a topic somebody is notified of; null: mentions in a topic, everything in a direct message.
alter table topic_states add column level text check (level in ('everything', 'mentions', 'nothing'));
-- Who is notified of everything in a topic, however many others are in it.
create index topic_states_everything on topic_states (org_id, topic_id) where level = 'everything';

-- How somebody wants to be notified in an organization; who has no row has the defaults.
create table notification_settings (
  org_id uuid not null,
  profile_id text collate "C" not null,
  keywords text[] not null default '{}' check (cardinality(keywords) <= 20),
  quiet_from smallint check (quiet_from between 0 and 1439), -- minutes of the day in `time_zone`; null: no quiet hours
  quiet_to smallint check (quiet_to between 0 and 1439),
  time_zone text not null default 'UTC',
  not_while_active boolean not null default true,
  mail_after_minutes integer not null default 60 check (mail_after_minutes >= 0), -- 0: no mail
  primary key (org_id, profile_id),
  foreign key (org_id, profile_id) references profiles (org_id, id),
  check ((quiet_from is null) = (quiet_to is null))
);
-- Whose keywords a message has to be compared with.
create index notification_settings_keywords on notification_settings (org_id) where keywords <> '{}';

-- Up to where an organization's log has been looked through for whom to notify. A node holds the row while it looks. What was
-- said until now is not told to anybody.
create table notification_readers (
  org_id uuid primary key references organizations,
  position bigint not null
);
insert into notification_readers (org_id, position) select org_id, last_seq from organization_logs;

-- The key pair that push services know this server by (VAPID); one for the whole installation, made at the first start.
create table push_keys (
  id smallint primary key default 1 check (id = 1),
  public_key text not null,
  private_key bytea not null, -- encrypted
  created_at bigint not null
);

-- The browser of a session, as its push service gave it to us: it ends with the session.
create table push_subscriptions (
  session_id uuid primary key references sessions (id) on delete cascade,
  account_id uuid not null references accounts,
  endpoint_hash bytea not null unique, -- a browser that signs in anew moves to its new session
  subscription bytea not null, -- encrypted: whoever knows it can write to the browser
  created_at bigint not null
);
-- The browsers of a person, and which of them are the oldest.
create index push_subscriptions_account on push_subscriptions (account_id, created_at);

-- What a browser is to be told (`due`), has been told (`shown`), or has to take back because it was read (`closing`).
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
-- Those that are about a message that is deleted.
create index pushes_message on pushes (org_id, message_id);
create index pushes_due on pushes (due_at) where state <> 'shown';
-- What a person may have read meanwhile.
create index pushes_shown on pushes (org_id, profile_id, topic_id) where state = 'shown';
