-- Organizations: their settings, and the row that orders all writes in them.

create table organizations (
  org_id uuid primary key,
  name text not null check (char_length(name) between 1 and 100),
  size_range text not null default '1-10',
  industry text not null default '',
  logo_file_id uuid,
  created_at bigint not null,
  updated_at bigint not null,

  -- Limits. Owners choose a value; an operator's ceiling bounds it. Null: the server's setting.
  rate_limit integer check (rate_limit >= 0),                               -- requests a minute; 0: no limit
  rate_limit_ceiling integer check (rate_limit_ceiling >= 0),               -- 0: no limit
  retention_days double precision check (retention_days > 0),               -- of events
  retention_days_ceiling double precision check (retention_days_ceiling > 0),

  -- Days that messages are kept; null: for ever. A shorter time counts a day after an owner chose it (next_*): until then it can be undone.
  keep_messages_days integer check (keep_messages_days between 1 and 36500),
  keep_messages_next_days integer check (keep_messages_next_days between 1 and 36500),
  keep_messages_next_at bigint,
  keep_messages_next_by text collate "C",

  -- Rights of members.
  restrict_to_org_units boolean not null default false,
  require_second_factor boolean not null default false,
  admins_need_second_factor boolean not null default false, -- admins and owners, whatever the others need
  require_sign_on boolean not null default false, -- members by single sign-on alone; owners also with a second factor
  sign_in_days integer check (sign_in_days between 1 and 180), -- people sign in again after so many; null: as long as a session lasts
  allow_assistants boolean not null default true, -- people may connect assistants of their own
  admins_may_read boolean not null default false, -- a rule of former versions; content_readings took its place
  four_eyes boolean not null default false,       -- a reading of content waits for a second owner
  four_eyes_end_by text collate "C",              -- the owner who asked to end that
  blocked_words text[] check (cardinality(blocked_words) between 1 and 200), -- words that no message may have; null: none
  message_check bigint, -- since when texts are checked as they are now; null: nobody is asked
  link_previews boolean not null default true,
  show_presence boolean not null default true,    -- people see who is online, who types, and statuses
  replies_in_topics boolean not null default false, -- topics show all replies, beside their threads
  members_mention_many boolean not null default false, -- not only admins mention more than 20 people at once
  members_create_topics boolean not null default true, -- not only admins and bots create topics
  members_invite_guests boolean not null default false, -- not only admins invite guests and bring them into topics
  edit_minutes integer check (edit_minutes >= 0) -- people edit and delete own messages for so long; null: always
);
-- A worker looks for planned changes that are due, in all organizations: nearly always none.
create index organizations_keep_messages_next on organizations (keep_messages_next_at) where keep_messages_next_at is not null;

-- One row for each organization, locked by every transaction that writes in it. The lock makes event numbers follow commit order, and
-- concurrent writes right by construction.
create table organization_logs (
  org_id uuid primary key references organizations,
  last_seq bigint not null default 0,           -- number of the newest event
  last_tick bigint not null default 0,          -- newest time given out: milliseconds * 4096 + counter
  floor_seq bigint not null default 0,          -- events up to this number were removed by retention
  audience_blocks bigint not null default 0,    -- number of closed blocks: events with `seq >> 8` from here on are in none
  -- Moves with each change of who is in a topic, and of what nodes remember of members. Texts are checked in memory against a version.
  membership_version bigint not null default 0,
  -- Moves with each change that can take a right from a bot, a person or an assistant. A writer compares it with the version at which its
  -- caller was let in. `membership_version` moves along, since texts are written by that one alone.
  authority_version bigint not null default 0,
  counted_message_id uuid,                      -- where the last count of message_counts ended
  shape bigint not null default 0               -- unused; the version before still writes it
);

-- Organizations that an operator is removing, a step at a time. The last step deletes the row with the organization.
create table organization_removals (
  org_id uuid primary key references organizations (org_id) on delete cascade,
  asked_at bigint not null
);

-- Messages of a day, in UTC. Counted when an admin looks, from where the last count ended.
create table message_counts (
  org_id uuid not null,
  day date not null,
  count bigint not null,
  primary key (org_id, day)
);

-- Pictures that people use beside ordinary emoji, as `:name:` in messages and reactions.
create table custom_emoji (
  org_id uuid not null references organizations (org_id),
  name text not null,
  file_id uuid not null,
  created_by text not null,
  created_at bigint not null,
  primary key (org_id, name)
);
