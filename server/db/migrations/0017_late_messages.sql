-- A message with files has the id of when it was sent and appears once they have been processed: then newer ones may stand
-- behind it, and read positions may have passed it. `appeared_id` says where it stands in the order of appearance, in the order of
-- the ids; null where nothing had come between. Null also for what the version before lets appear: as before, that is not
-- unread for who had read on.
alter table messages add column appeared_id uuid;
-- Unread ones among them; most messages are in no such order, and not in this index.
create index messages_late on messages (org_id, topic_id, appeared_id) where appeared_id is not null;

-- Of messages that have an `appeared_id`, those up to here have been read, besides those up to `read_to`.
alter table topic_states add column late_read_to uuid;
