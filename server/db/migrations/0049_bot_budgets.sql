-- Every writer locks a row of this table first: nobody who waits here holds what is altered below.
lock table organization_logs in exclusive mode;

-- What a bot may use in a day, from midnight to midnight UTC; null: as much as it likes.
alter table bots
  add column messages_per_day bigint check (messages_per_day > 0),
  add column tokens_per_day bigint check (tokens_per_day > 0);

-- What bots have used. Nodes add to it once a second, so half of each page is left free: a new number goes into the same page.
create table bot_usage (
  org_id uuid not null,
  bot_id text collate "C" not null,
  day integer not null, -- since 1970-01-01, UTC
  messages bigint not null default 0, -- counted only while the bot has a budget
  tokens bigint not null default 0, -- as the bot reports them
  told_messages bigint, -- the budget of which people were told that it is nearly used up
  told_tokens bigint,
  primary key (org_id, bot_id, day)
) with (fillfactor = 50);
