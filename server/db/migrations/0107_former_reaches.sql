-- What a bot heard in a topic that it was taken out of. A bot that adds it again gives it no more than that; people of the topic can.
create table former_reaches (
  org_id uuid not null references organizations (org_id) on delete cascade,
  topic_id uuid not null,
  bot_id text collate "C" not null,
  reach text not null check (reach in ('everything', 'threads', 'mentions', 'commands')),
  primary key (org_id, topic_id, bot_id)
);
