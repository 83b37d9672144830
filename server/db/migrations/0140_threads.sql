-- Replies that stay in their threads. Those written so far were shown in their topics, and stay there.
alter table organizations add column replies_in_topics boolean not null default false;
alter table messages add column thread_only boolean not null default false;
alter table mentions add column parent_id uuid;
alter table pending_messages add column also_in_topic boolean not null default false;
alter table streaming_messages add column also_in_topic boolean not null default false;
alter table scheduled_messages add column also_in_topic boolean not null default false;
create index messages_shown on messages (org_id, topic_id, id) where not thread_only;
create index mentions_thread on mentions (org_id, profile_id, parent_id, message_id) where parent_id is not null;
