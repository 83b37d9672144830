-- Messages, and all that hangs on them.

-- Ids are time-ordered and given out by the organization's one writer: the order of ids is the order of commits, so every list below is a
-- range of an index on the id. No foreign key to topics: they are never deleted, and the writer has just read the topic.
create table messages (
  org_id uuid not null,
  id uuid not null,
  topic_id uuid not null,
  sender_id text collate "C" not null,
  type text not null check (type in ('text', 'image', 'file', 'video', 'audio', 'location', 'task', 'contact', 'poll', 'call')),
  text text not null default '' check (char_length(text) <= 10000),
  mentions text[] not null default '{}',
  parent_id uuid,
  external_id text check (char_length(external_id) between 1 and 61),
  is_system boolean not null default false,
  is_edited boolean not null default false,
  reply_count integer not null default 0,
  thread_only boolean not null default false, -- a reply that its topic does not show: people read it in its thread
  -- The next three are here, and not in tables of their own, so that a page of messages is one read.
  reactions jsonb not null default '[]', -- [{emoji, count}], in the order of their first use
  details jsonb,                         -- particulars of the type: the poll, task, call, location or contact
  attachments jsonb,                     -- [{id, type, name, contentType, size, width, height, duration, thumbnail, transcription}]
  -- A message with files has the id of when it was sent and appears once they are processed: newer ones may stand behind it then, and read
  -- positions may have passed it. This is its place in the order of appearance; null where nothing came between.
  appeared_id uuid,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (org_id, id)
);
-- A topic's messages by age.
create index messages_topic on messages (org_id, topic_id, id);
-- A topic's messages as people see it: without replies that stay in their threads.
create index messages_shown on messages (org_id, topic_id, id) where not thread_only;
-- Messages of a topic without system messages.
create index messages_said on messages (org_id, topic_id, id) where not is_system;
-- Messages of one sender in a topic.
create index messages_sender on messages (org_id, topic_id, sender_id, id);
-- The replies of one thread.
create index messages_thread on messages (org_id, parent_id, id) where parent_id is not null;
-- Unread ones among those that appeared late. Most messages are not in this index.
create index messages_late on messages (org_id, topic_id, appeared_id) where appeared_id is not null;
-- A topic's files, and its polls; texts are in neither index.
create index messages_files on messages (org_id, topic_id, id) where attachments is not null;
create index messages_polls on messages (org_id, topic_id, id) where type = 'poll';
-- Messages that mention everyone, those present or groups, in a topic and in a thread. They have no rows in `mentions`: readers find
-- themselves in `details`, so that mentioning 5,000 people writes as much as mentioning one.
create index messages_mentioning_groups on messages (org_id, topic_id, id) where details ? 'groupMentions';
create index messages_mentioning_groups_in_threads on messages (org_id, parent_id, id)
  where details ? 'groupMentions' and parent_id is not null;

create table reactions (
  org_id uuid not null,
  id uuid not null,
  message_id uuid not null,
  profile_id text collate "C" not null,
  emoji text not null,
  created_at bigint not null,
  primary key (org_id, id),
  foreign key (org_id, message_id) references messages (org_id, id) on delete cascade
);
-- A member's reaction with one emoji counts once; also finds the reactions of a message.
create unique index reactions_once on reactions (org_id, message_id, profile_id, emoji);

-- Times at which members received and read a message; the first time stands.
create table message_marks (
  org_id uuid not null,
  message_id uuid not null,
  profile_id text collate "C" not null,
  delivered_at bigint not null,
  read_at bigint,
  primary key (org_id, message_id, profile_id),
  foreign key (org_id, message_id) references messages (org_id, id) on delete cascade
);

-- Mentioned people by topic: the number of unread mentions is a range of the key.
create table mentions (
  org_id uuid not null,
  profile_id text collate "C" not null,
  topic_id uuid not null,
  message_id uuid not null,
  parent_id uuid, -- the thread, if the topic does not show the message: it is unread there, not in the topic
  primary key (org_id, profile_id, topic_id, message_id)
);
-- Mentions in the threads of a person.
create index mentions_thread on mentions (org_id, profile_id, parent_id, message_id) where parent_id is not null;
-- Mentions of a person in all topics, newest first. Without the topic in it, an index-only scan of the primary key would look cheaper, and
-- would read all of them.
create index mentions_newest on mentions (org_id, profile_id, message_id) include (topic_id);

-- Threads that a person follows, each with its newest reply. Authors follow automatically: of the first message and of replies; so do people
-- who are mentioned there. A person who leaves keeps the row, and follows again by writing.
create table thread_follows (
  org_id uuid not null,
  profile_id text collate "C" not null,
  parent_id uuid not null,
  topic_id uuid not null,
  last_reply_id uuid not null,
  read_to uuid, -- replies that appeared up to here were read in the thread; null: none of them
  following boolean not null default true,
  primary key (org_id, profile_id, parent_id)
);
-- The thread list of a person, newest reply first.
create index thread_follows_newest on thread_follows (org_id, profile_id, last_reply_id) where following;
-- The followers of a thread, when a reply comes.
create index thread_follows_parent on thread_follows (org_id, parent_id);

create table pins (
  org_id uuid not null,
  topic_id uuid not null,
  message_id uuid not null,
  pinned_by text collate "C" not null,
  pinned_at bigint not null,
  primary key (org_id, topic_id, message_id),
  foreign key (org_id, topic_id) references topics (org_id, id)
);

-- Messages whose files are being processed. They become messages, under the same id, in one transaction.
create table pending_messages (
  org_id uuid not null,
  id uuid not null,
  topic_id uuid not null,
  sender_id text collate "C" not null,
  text text not null,
  mentions text[] not null,
  parent_id uuid,
  external_id text,
  attachments jsonb not null,
  compress_images boolean not null,
  also_in_topic boolean not null default false,
  marks jsonb not null default '{}', -- {profileId: {deliveredAt, readAt}}: who marked it before it appeared
  created_at bigint not null,
  primary key (org_id, id)
);

-- Messages that a bot is still writing. One node (`holder`) has the text in memory, and writes it here at most once a second; when it ends, the
-- message takes the place of the row. Half of each page is left free, so that a new text goes into the same page and no index is touched.
create table streaming_messages (
  org_id uuid not null,
  id uuid not null, -- of the message that it becomes
  topic_id uuid not null,
  sender_id text collate "C" not null,
  parent_id uuid,
  external_id text,
  also_in_topic boolean not null default false,
  text text not null default '' check (char_length(text) <= 10000),
  version integer not null default 0, -- grows with each change that people were shown
  progress jsonb, -- {steps, sources, activity}
  last_key text, -- of the last append: its Idempotency-Key and the hash of its request
  holder uuid, -- null: no node has it in memory
  created_at bigint not null,
  touched_at bigint not null, -- the last sign of life of its bot, to the second
  primary key (org_id, id)
) with (fillfactor = 50);
-- Streams whose bots have fallen silent.
create index streaming_messages_touched on streaming_messages (touched_at) with (fillfactor = 50);

-- Messages to be sent later. The transaction that sends one deletes its row: it is sent once, however many nodes try.
create table scheduled_messages (
  org_id uuid not null,
  id uuid not null,
  profile_id text collate "C" not null, -- the sender
  topic_id uuid not null,
  text text not null,
  actions jsonb, -- as the bot gave them: they are checked again when it is sent
  parent_id uuid,
  also_in_topic boolean not null default false,
  external_id text,
  assistant jsonb,   -- the assistant that wrote it for a person
  assistant_id uuid, -- the assistant that must still be connected when it is due; null: the sender decided on it
  send_at bigint not null,
  retry_at bigint, -- the next try after a failure that was not the sender's doing; null: never tried
  state text not null default 'scheduled' check (state in ('scheduled', 'failed', 'held')),
  reason text, -- of the failure
  held_reason text, -- why the organization's message check holds it for a review
  reviewed_by text collate "C", -- who let it pass: it is sent without being checked again
  created_at bigint not null,
  updated_at bigint not null,
  primary key (org_id, id),
  foreign key (org_id, profile_id) references profiles (org_id, id)
);
-- The next that are due in all organizations; one that cannot be sent does not hold up the others.
create index scheduled_messages_next on scheduled_messages (coalesce(retry_at, send_at)) where state = 'scheduled';
-- The list of one member.
create index scheduled_messages_own on scheduled_messages (org_id, profile_id, send_at, id);
-- A worker removes those that failed long ago.
create index scheduled_messages_failed on scheduled_messages (updated_at) where state = 'failed';
-- The messages of an organization that wait for a review.
create index scheduled_messages_held on scheduled_messages (org_id, id) where state = 'held';

-- Messages that a person keeps for later, with or without a reminder.
create table saved_messages (
  org_id uuid not null,
  profile_id text collate "C" not null,
  message_id uuid not null,
  topic_id uuid not null,
  saved_at bigint not null,
  remind_at bigint,
  reminded_at bigint, -- when the reminder was given
  primary key (org_id, profile_id, message_id),
  foreign key (org_id, profile_id) references profiles (org_id, id)
);
-- The next reminders of all organizations.
create index saved_messages_due on saved_messages (remind_at) where remind_at is not null and reminded_at is null;
-- The list of one person.
create index saved_messages_own on saved_messages (org_id, profile_id, saved_at, message_id);
-- The reminders of one person.
create index saved_messages_reminders on saved_messages (org_id, profile_id, remind_at, message_id) where remind_at is not null;
-- People who had saved a message that was deleted.
create index saved_messages_message on saved_messages (org_id, message_id);

-- Answers of people to the buttons, choices and forms of a bot's message. Rows outlive the message: they say who approved what.
create table message_actions (
  org_id uuid not null,
  id uuid not null,
  bot_id text collate "C" not null,
  topic_id uuid not null,
  message_id uuid not null,
  actions_id uuid not null, -- the question: a message that asks again has another one
  slot text collate "C", -- empty where one answer counts, the person where one of each person does, null where all do
  profile_id text collate "C" not null,
  element_id text not null,
  label text not null, -- of the element, at that time
  value text,
  field_values jsonb, -- the contents of a form, by field
  note text, -- the bot's words to this person alone
  created_at bigint not null,
  primary key (org_id, id)
);
-- One answer counts, however many are given at once.
create unique index message_actions_slot on message_actions (org_id, actions_id, slot) where slot is not null;
-- Notes to a person, for a stretch of history.
create index message_actions_notes on message_actions (org_id, profile_id, message_id, id) where note is not null;
-- The newest answers to a bot's buttons, which its page counts.
create index message_actions_bot on message_actions (org_id, bot_id, id) include (element_id);

-- Answers of bots under a message that one person sees, one for each message and person. No search, export of the organization or notification has them.
create table private_answers (
  org_id uuid not null,
  profile_id text collate "C" not null, -- who sees it
  message_id uuid not null,
  id uuid not null, -- of the version 7: the later one is shown
  bot_id text collate "C" not null,
  text text not null check (char_length(text) between 1 and 4000),
  created_at bigint not null,
  primary key (org_id, profile_id, message_id),
  foreign key (org_id, message_id) references messages (org_id, id) on delete cascade
);
-- The answers under a message that is deleted.
create index private_answers_message on private_answers (org_id, message_id);

-- Questions that end: by enough answers, by their time, or by being withdrawn. Their answers are rows of `message_actions`. A question outlives
-- its message, so that its asker learns how it ended.
create table questions (
  org_id uuid not null,
  id uuid not null,
  asker_id text collate "C" not null,
  key text check (char_length(key) between 1 and 255), -- the asker's own name for it, and the hash of what was asked: asked again, it is the same question
  asked_hash text not null,
  topic_id uuid not null,
  message_id uuid not null,
  actions_id uuid not null, -- the buttons that count; another text of the message gives them another id
  quorum integer not null,
  approval boolean not null,
  decisive text[] not null, -- elements with which one answer decides
  otherwise text,           -- the element that counts when nobody decided
  status text not null default 'open' check (status in ('open', 'answered', 'expired', 'withdrawn')),
  element_id text, -- what counts
  value text,
  decided_by uuid, -- the answer that decided
  expires_at bigint not null,
  created_at bigint not null,
  closed_at bigint,
  primary key (org_id, id)
);
-- A key of an asker names one question.
create unique index questions_key on questions (org_id, asker_id, key) where key is not null;
-- The number of open questions of an asker.
create index questions_open on questions (org_id, asker_id) where status = 'open';
-- The next whose time is over, of all organizations.
create index questions_due on questions (expires_at) where status = 'open';

-- Previews of pages, shared by all messages of an organization that link to them. While a page is being fetched, and where it describes
-- nothing, there is no preview. The picture is kept as long as this row or a message shows it.
create table link_previews (
  org_id uuid not null references organizations (org_id),
  url_hash bytea not null, -- SHA-256: addresses are longer than an index takes
  preview jsonb,
  image_file_id uuid,
  fetched boolean not null default false,
  expires_at bigint not null, -- while it is fetched: the lease of the node; afterwards: when it is removed
  primary key (org_id, url_hash)
);
-- A worker removes the oldest.
create index link_previews_expiry on link_previews (expires_at);
