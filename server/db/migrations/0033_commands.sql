-- The commands of a bot, as it set them.
create table bot_commands (
  org_id uuid not null,
  bot_id text collate "C" not null,
  name text collate "C" not null,
  description text not null,
  arguments jsonb not null, -- [{name, description?}]
  primary key (org_id, bot_id, name),
  foreign key (org_id, bot_id) references bots (org_id, id) on delete cascade
);
