-- The console's list of topics, by name and by age; direct messages are in neither.
create index topics_by_name on topics (org_id, lower(name), id) where type = 'topic';
create index topics_by_age on topics (org_id, created_at, id) where type = 'topic';
