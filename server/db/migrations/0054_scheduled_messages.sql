-- Messages that are to be sent later. The transaction that sends one deletes its row: it is sent once, whichever nodes try.
create table scheduled_messages (
  org_id uuid not null,
  id uuid not null,
  profile_id text collate "C" not null, -- who sends it
  topic_id uuid not null,
  text text not null,
  actions jsonb, -- as the bot gave them: they are checked again when it is sent
  parent_id uuid,
  external_id text,
  assistant jsonb, -- which wrote it for a person
  send_at bigint not null,
  state text not null default 'scheduled' check (state in ('scheduled', 'failed')),
  reason text, -- why it failed
  created_at bigint not null,
  updated_at bigint not null,
  primary key (org_id, id),
  foreign key (org_id, profile_id) references profiles (org_id, id)
);
-- What is due next, of all organizations.
create index scheduled_messages_due on scheduled_messages (send_at) where state = 'scheduled';
-- The list of one member.
create index scheduled_messages_own on scheduled_messages (org_id, profile_id, send_at, id);
-- What failed long ago is forgotten.
create index scheduled_messages_failed on scheduled_messages (updated_at) where state = 'failed';
