-- Whether a bot may open direct messages with people who share a topic with it: an admin allows it.
alter table bots add column opens_direct_messages boolean not null default false;
