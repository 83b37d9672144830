-- Answers of bots under a message that one person sees.
create table private_answers (
  org_id uuid not null,
  profile_id text collate "C" not null,
  message_id uuid not null,
  id uuid not null,
  bot_id text collate "C" not null,
  text text not null check (char_length(text) between 1 and 4000),
  created_at bigint not null,
  primary key (org_id, profile_id, message_id)
);
create index private_answers_message on private_answers (org_id, message_id);

-- once placed
alter table private_answers add foreign key (org_id, message_id) references messages (org_id, id) on delete cascade;
