-- Content that a person is not part of is read under a reading: who asked, for what, why, who let them, and until when.
create table content_readings (
  org_id uuid not null references organizations (org_id) on delete cascade,
  id uuid not null,
  subject_type text not null check (subject_type in ('topic', 'member', 'bot', 'hold')),
  subject_id text collate "C" not null,
  reason text not null check (char_length(reason) between 1 and 500),
  asked_by text collate "C" not null,
  asked_at bigint not null,
  outcome text check (outcome in ('granted', 'refused')), -- null: it waits for another owner
  decided_by text collate "C", -- who asked, where no second owner is needed
  decided_at bigint,
  ends_at bigint not null,
  primary key (org_id, id)
);
-- Each page that is read asks for the open one of its reader.
create index content_readings_of_reader on content_readings (org_id, asked_by, subject_id, ends_at);

-- Whether a reading waits for a second owner, and the owner who asked to end that.
alter table organizations add column four_eyes boolean not null default false;
alter table organizations add column four_eyes_end_by text collate "C";
-- The owner who allowed this admin to read content with a reason; null: nobody did.
alter table profiles add column reading_allowed_by text collate "C";
-- Ends the rule before: with it every admin read every topic, without a reason.
update organizations set admins_may_read = false where admins_may_read;
