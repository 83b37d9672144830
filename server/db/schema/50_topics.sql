-- Topics and direct messages, who is in them, and what each person has done with them.

create table labels (
  org_id uuid not null references organizations,
  id uuid not null,
  name text not null check (char_length(name) between 1 and 64),
  name_key text not null, -- the name without regard to case
  created_at bigint not null,
  primary key (org_id, id)
);
-- A name belongs to one label.
create unique index labels_name on labels (org_id, name_key);
-- The label list, oldest first.
create index labels_list on labels (org_id, created_at, id);

create table topics (
  org_id uuid not null references organizations,
  id uuid not null,
  type text not null default 'topic' check (type in ('topic', 'dm')),
  name text not null check (char_length(name) <= 64),
  description text not null default '' check (char_length(description) <= 10000),
  announcement boolean not null default false,
  open boolean not null default false,              -- every person of the organization can find, read and join it
  joined_by_default boolean not null default false, -- new people are in it
  archived_at bigint,                               -- nobody writes in an archived topic
  bots_stopped_at bigint, -- since when bots may not write, because they only answered each other; a person ends it
  keep_messages_days integer check (keep_messages_days between 0 and 36500), -- null: as the organization says; 0: for ever
  keep_messages_from bigint, -- no message is deleted by its age before this time: owners can still undo the shorter time that they chose
  member_key text collate "C", -- of direct messages: the ids of the members, sorted, with commas between
  cover_file_id uuid,
  label_id uuid,
  created_by text collate "C" not null,
  external_id text check (char_length(external_id) between 1 and 100),
  created_at bigint not null,
  updated_at bigint not null,
  primary key (org_id, id),
  foreign key (org_id, label_id) references labels (org_id, id) on delete set null (label_id),
  constraint topics_default_is_open check (open or not joined_by_default)
);
-- An external id is unique for the bot that gave it; only bots give one.
create unique index topics_external_id on topics (org_id, created_by, external_id) where external_id is not null;
-- There is one direct message for each set of members.
create unique index topics_member_key on topics (org_id, member_key) where member_key is not null;
-- How many topics have a label; also finds them when the label is deleted, while the organization's writer waits.
create index topics_label on topics (org_id, label_id) where label_id is not null;
-- Open topics by name, and those that new people join. Most topics are in neither index.
create index topics_open on topics (org_id, lower(name), id) where open and archived_at is null;
create index topics_joined_by_default on topics (org_id) where joined_by_default;
-- The console's list of topics, by name and by age.
create index topics_by_name on topics (org_id, lower(name), id) where type = 'topic';
create index topics_by_age on topics (org_id, created_at, id) where type = 'topic';
-- The few topics that an admin should look at.
create index topics_with_stopped_bots on topics (org_id, bots_stopped_at) where bots_stopped_at is not null;

create table topic_members (
  org_id uuid not null,
  topic_id uuid not null,
  profile_id text collate "C" not null,
  -- Events of the topic that a bot gets. 'mentions': messages that mention it, and what happens to those and to its
  -- own; 'threads': these, and replies in threads that it wrote in; 'commands': only what is for it alone. It means
  -- nothing for people.
  reach text not null default 'everything' check (reach in ('everything', 'threads', 'mentions', 'commands')),
  topic_created_at bigint not null, -- repeated here so that a member's topics are one range of one index
  joined_at bigint not null,
  primary key (org_id, topic_id, profile_id),
  foreign key (org_id, topic_id) references topics (org_id, id),
  foreign key (org_id, profile_id) references profiles (org_id, id)
);
-- The topic list of a member, newest first.
create index topic_members_list on topic_members (org_id, profile_id, topic_created_at desc, topic_id desc);
-- The first members of a topic, without sorting thousands.
create index topic_members_by_joining on topic_members (org_id, topic_id, joined_at, profile_id);

-- The reach of a bot in a topic that it was taken out of. A bot that adds it again gives it no more than that; people of the topic can.
create table former_reaches (
  org_id uuid not null references organizations (org_id) on delete cascade,
  topic_id uuid not null,
  bot_id text collate "C" not null,
  reach text not null check (reach in ('everything', 'threads', 'mentions', 'commands')),
  primary key (org_id, topic_id, bot_id)
);

-- The history of a topic, kept as long as the topic; the log keeps events for days.
create table topic_changes (
  org_id uuid not null,
  topic_id uuid not null,
  id uuid not null, -- of its event
  type text not null,
  data json not null, -- the data of the event
  created_at bigint not null,
  primary key (org_id, topic_id, id)
);

-- Sections of a person's list of conversations: those of their own, and those that everybody has, once they were changed.
create table sidebar_sections (
  org_id uuid not null,
  profile_id text collate "C" not null,
  id text collate "C" not null, -- a UUID, or the name of a section that everybody has
  name text check (char_length(name) between 1 and 40), -- null: everybody has it
  place integer not null default 0, -- among those of their own
  folded boolean not null default false,
  sorting text not null default 'name' check (sorting in ('name', 'recent', 'hand')),
  primary key (org_id, profile_id, id),
  foreign key (org_id, profile_id) references profiles (org_id, id),
  constraint sidebar_sections_built_in check ((name is null) = (id in ('unread', 'favourites', 'topics', 'direct')))
);

-- A person's state of a topic. A read position is the id of a message, which is time-ordered: everything up to it was
-- read. It takes one row, however long the topic is.
create table topic_states (
  org_id uuid not null,
  profile_id text collate "C" not null,
  topic_id uuid not null,
  read_to uuid,      -- null: messages from before they joined; all zeros: nothing, not even those
  late_read_to uuid, -- of messages that have an `appeared_id`, those up to here were read besides those up to `read_to`
  level text check (level in ('everything', 'mentions', 'nothing')), -- of notifications; null: mentions, and all direct messages
  muted boolean not null default false,
  favourite boolean not null default false,
  section_id text collate "C", -- of their own; null: where it stands by itself
  place integer, -- in its section, given by hand
  primary key (org_id, profile_id, topic_id),
  foreign key (org_id, profile_id) references profiles (org_id, id),
  foreign key (org_id, topic_id) references topics (org_id, id),
  foreign key (org_id, profile_id, section_id) references sidebar_sections (org_id, profile_id, id)
);
-- People who are notified of everything in a topic, however many others are in it.
create index topic_states_everything on topic_states (org_id, topic_id) where level = 'everything';

-- Texts that were written and not sent.
create table drafts (
  org_id uuid not null,
  profile_id text collate "C" not null,
  topic_id uuid not null,
  parent_id uuid not null default '00000000-0000-0000-0000-000000000000', -- all zeros: it is no reply
  text text not null check (char_length(text) between 1 and 10000),
  updated_at bigint not null,
  primary key (org_id, profile_id, topic_id, parent_id),
  foreign key (org_id, profile_id) references profiles (org_id, id),
  foreign key (org_id, topic_id) references topics (org_id, id)
);
