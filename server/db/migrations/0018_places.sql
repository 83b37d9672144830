-- Every writer locks a row of this table first: nobody who waits here holds what is altered below.
lock table organization_logs in exclusive mode;

-- What people say about themselves, and admins about bots.
alter table profiles
  add column title text not null default '' check (char_length(title) <= 100),
  add column time_zone text not null default '' check (char_length(time_zone) <= 64), -- such as Europe/Berlin
  add column status_text text not null default '' check (char_length(status_text) <= 100),
  add column photo_file_id uuid;
alter table bots
  add column description text not null default '' check (char_length(description) <= 500),
  add column owner_id text collate "C"; -- the person who created it; null for those of before, and of agents

-- What has happened to a topic: the log of events is kept for days, this as long as the topic.
create table topic_changes (
  org_id uuid not null,
  topic_id uuid not null,
  id uuid not null, -- of its event
  type text not null,
  data json not null, -- as the event told it
  created_at bigint not null,
  primary key (org_id, topic_id, id)
);

-- Mentions of somebody wherever they are, the newest first.
create index mentions_newest on mentions (org_id, profile_id, message_id);
-- A topic's files, and its polls; texts are in neither index.
create index messages_files on messages (org_id, topic_id, id) where attachments is not null;
create index messages_polls on messages (org_id, topic_id, id) where type = 'poll';

-- Threads that somebody follows, each with its newest reply, so that a list of them is a range of an index. Who replies, whose
-- message is replied to and who is mentioned follow by themselves; who stops following keeps the row.
create table thread_follows (
  org_id uuid not null,
  profile_id text collate "C" not null,
  parent_id uuid not null,
  topic_id uuid not null,
  last_reply_id uuid not null,
  read_to uuid, -- replies up to here were read in the thread itself, whatever was read in the topic
  following boolean not null default true,
  primary key (org_id, profile_id, parent_id)
);
create index thread_follows_newest on thread_follows (org_id, profile_id, last_reply_id) where following;
-- Its followers, when somebody replies.
create index thread_follows_parent on thread_follows (org_id, parent_id);

insert into thread_follows (org_id, profile_id, parent_id, topic_id, last_reply_id)
select x.org_id, x.profile_id, x.parent_id, min(x.topic_id::text)::uuid, max(x.last_reply_id::text)::uuid
from (
  select m.org_id, m.sender_id as profile_id, m.parent_id, m.topic_id,
    max(m.id::text) over (partition by m.org_id, m.parent_id) as last_reply_id
  from messages m where m.parent_id is not null
  union all
  select m.org_id, p.sender_id, m.parent_id, m.topic_id, m.id::text
  from messages m join messages p on p.org_id = m.org_id and p.id = m.parent_id where m.parent_id is not null
) x
where not starts_with(x.profile_id, 'b@')
group by x.org_id, x.profile_id, x.parent_id;

create function follow_thread() returns trigger language plpgsql as $$
begin
  insert into thread_follows (org_id, profile_id, parent_id, topic_id, last_reply_id)
  select new.org_id, x.id, new.parent_id, new.topic_id, new.id
  from (
    select new.sender_id union select unnest(new.mentions)
    union select p.sender_id from messages p where p.org_id = new.org_id and p.id = new.parent_id
  ) x (id)
  where not starts_with(x.id, 'b@')
  on conflict (org_id, profile_id, parent_id) do nothing;
  update thread_follows set last_reply_id = new.id
  where org_id = new.org_id and parent_id = new.parent_id and last_reply_id < new.id;
  return null;
end $$;
create trigger messages_reply after insert on messages for each row when (new.parent_id is not null)
  execute function follow_thread();
