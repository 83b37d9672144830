alter table organizations add column members_create_topics boolean not null default true;
