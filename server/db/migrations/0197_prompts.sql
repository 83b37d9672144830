-- Texts that a bot suggests to people who write to it.
alter table bots add column prompts text[] not null default '{}';
