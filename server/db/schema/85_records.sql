-- Records and duties: the audit log, reports, readings of content, retention, legal holds, erasures, imports.

-- Changes with their actor, written with the change. A trigger refuses changes and removals, except that names of
-- erased people are removed.
create table audit_log (
  org_id uuid not null,
  id uuid not null, -- time-ordered
  at bigint not null,
  actor_kind text not null check (actor_kind in ('person', 'bot', 'operator', 'server', 'scim')),
  actor_id text collate "C",
  actor_name text,
  assistant_name text, -- the assistant that the person acted through, as it was called then
  client_address text, -- of a person's change or sign-in
  client_user_agent text,
  action text not null,
  target_type text not null,
  target_id text not null,
  target_name text not null,
  changes jsonb not null,
  primary key (org_id, id)
);
-- The filters of the console: by target, by kind of target, by actor.
create index audit_log_target on audit_log (org_id, target_id, id);
create index audit_log_kind on audit_log (org_id, target_type, id);
create index audit_log_actor on audit_log (org_id, actor_id, id) where actor_id is not null;
-- Each entry is in one of these two: sign-ins are soon most of the log, so that a page of them, and a page of everything else, is a range of
-- an index.
create index audit_log_sign_ins on audit_log (org_id, id)
  where action in ('member.signed_in', 'member.sign_in_failed');
create index audit_log_changes on audit_log (org_id, id)
  where action not in ('member.signed_in', 'member.sign_in_failed');

-- Where the audit log of an organization is sent, and how far it has come.
create table audit_destinations (
  org_id uuid not null references organizations (org_id) on delete cascade,
  id uuid not null,
  kind text not null check (kind in ('webhook', 'syslog')),
  address text not null, -- a URL, or host and port
  ca_certificate text, -- in PEM; of syslog
  secret bytea, -- encrypted; of a webhook
  created_by text collate "C" not null,
  created_at bigint not null,
  sent_to uuid not null, -- the last entry that arrived
  sent_at bigint,
  due_at bigint not null, -- nothing is sent before: later after each failure
  leased_until bigint not null default 0, -- a node sends now
  failures integer not null default 0, -- in a row
  failing_since bigint,
  fault_kind text,
  fault_detail text,
  primary key (org_id, id)
);
-- A worker looks for the next that are due.
create index audit_destinations_due on audit_destinations (due_at, org_id, id);

-- The program of an organization that is asked about each text before it is sent.
create table message_checks (
  org_id uuid primary key references organizations (org_id) on delete cascade,
  address text not null,
  secret bytea not null, -- encrypted
  when_away text not null check (when_away in ('send', 'refuse')), -- what happens to texts while it does not answer
  set_by text collate "C" not null,
  set_at bigint not null,
  failing_since bigint, -- the first attempt that failed since the last that did not
  fault_kind text,
  fault_detail text
);

-- Messages that people reported to their admins.
create table message_reports (
  org_id uuid not null references organizations (org_id) on delete cascade,
  id uuid not null,
  message_id uuid not null,
  topic_id uuid not null,
  sender_id text collate "C" not null,
  text text not null, -- of the message when it was reported: its sender may change it
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
-- The lists of open and of decided reports.
create index message_reports_listed on message_reports (org_id, (outcome is null), id);
-- All reports of one message: they are decided together.
create index message_reports_message on message_reports (org_id, message_id);
-- How often a person reported something lately.
create index message_reports_reporter on message_reports (org_id, reporter_id, id);

-- A person who is not part of some content reads it under a reading: who asked, for what, why, who allowed it, and until when.
create table content_readings (
  org_id uuid not null references organizations (org_id) on delete cascade,
  id uuid not null,
  subject_type text not null check (subject_type in ('topic', 'member', 'bot', 'hold')),
  subject_id text collate "C" not null,
  reason text not null check (char_length(reason) between 1 and 500),
  asked_by text collate "C" not null,
  asked_at bigint not null,
  allowed_by text collate "C", -- the owner who had allowed the reader when they asked; null: an owner asked
  outcome text check (outcome in ('granted', 'refused')), -- null: it waits for another owner
  decided_by text collate "C", -- the reader, where no second owner is needed
  decided_at bigint,
  ends_at bigint not null,
  primary key (org_id, id)
);
-- Each page that is read asks for the open reading of its reader.
create index content_readings_of_reader on content_readings (org_id, asked_by, subject_id, ends_at);

-- Topics whose messages do not stay for ever, and when to look at each next: nothing in it is due before. The row without a topic (all zeros) is about
-- copies that are held no longer.
create table retention_dues (
  org_id uuid not null references organizations (org_id) on delete cascade,
  topic_id uuid not null,
  due_at bigint not null,
  done_to uuid, -- messages up to here were looked at; those of them that are still there stay
  primary key (org_id, topic_id)
);
-- The next that are due.
create index retention_dues_due on retention_dues (due_at);

-- The newest message that retention deleted in a topic: an import brings nothing from before it back, however long messages are kept by now. One row for
-- a topic instead of one for each of millions of messages.
create table retention_marks (
  org_id uuid not null references organizations (org_id) on delete cascade,
  topic_id uuid not null,
  deleted_to uuid not null,
  primary key (org_id, topic_id)
);

-- Content that may not be lost during an investigation: of a topic, of one member's messages, or, with neither, of the whole organization.
create table legal_holds (
  org_id uuid not null references organizations (org_id) on delete cascade,
  id uuid not null,
  topic_id uuid,
  profile_id text collate "C",
  reason text not null check (char_length(reason) between 1 and 500),
  set_by text collate "C" not null,
  set_at bigint not null,
  ended_by text collate "C",
  ended_at bigint, -- null: it stands
  primary key (org_id, id),
  check (topic_id is null or profile_id is null)
);
-- Every edit and deletion asks for holds that stand: nearly always none.
create index legal_holds_standing on legal_holds (org_id) where ended_at is null;
-- The lists of standing and of ended holds.
create index legal_holds_listed on legal_holds (org_id, (ended_at is null), id);

-- Messages and tasks as they were before an edit or a deletion under a hold. Only the export of a hold shows them.
create table held_records (
  org_id uuid not null references organizations (org_id) on delete cascade,
  id uuid not null,
  kind text not null check (kind in ('message', 'task')),
  record_id uuid not null, -- of the message or the task
  topic_id uuid not null,
  author_id text collate "C" not null,
  change text not null check (change in ('edited', 'deleted')),
  changed_at bigint not null,
  record jsonb not null, -- its row; of a message with its reactions and its poll
  file_ids uuid[] not null,
  primary key (org_id, id)
);
-- The order of an export, which goes by the ids of messages.
create index held_records_order on held_records (org_id, record_id, changed_at);

-- People whose data is being erased, a step at a time. A finished erasure stays as a row without names, so that admins see that it is done.
create table erasures (
  org_id uuid not null references organizations (org_id) on delete cascade,
  profile_id text collate "C" not null,
  with_messages boolean not null, -- their messages too
  names text[] not null, -- their names: some entries name them without their id
  step text not null check (step in ('own', 'answers', 'messages', 'audit', 'log')),
  done_to text, -- how far the step has come
  log_to bigint not null, -- later events do not name them
  due_at bigint, -- later each time that it fails, so that others go on; null: finished
  asked_at bigint not null default 0,
  asked_by text collate "C", -- null: a command on the server
  finished_at bigint,
  failures integer not null default 0, -- in a row
  primary key (org_id, profile_id)
);
-- The next that are due.
create index erasures_due on erasures (due_at) where due_at is not null;
-- The list that admins see, newest first.
create index erasures_asked on erasures (org_id, asked_at, profile_id);

-- Keyed hashes of what an import must recognize: who a person of an export is here, addresses of erased people, and messages and emoji that
-- were deleted. No id of another product and no address is kept.
create table import_marks (
  org_id uuid not null references organizations (org_id) on delete cascade,
  hash bytea not null,
  profile_id text collate "C", -- of a person; null: it was deleted
  primary key (org_id, hash)
);
