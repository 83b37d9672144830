-- A page of mentions reads this index alone. Without the topic in it, an index-only scan of the primary key looked cheaper, and read all
-- mentions of the person.
drop index mentions_newest;
create index mentions_newest on mentions (org_id, profile_id, message_id) include (topic_id);
