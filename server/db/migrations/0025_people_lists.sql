-- When a person was last here, to the hour, so that reading does not write. Null: not since this is kept.
alter table profiles add column last_seen_at bigint;

-- The console's list of people, one status at a time, in the orders that it offers besides the age (profiles_list).
create index profiles_by_name on profiles (org_id, status, lower(name), id) where kind = 'user';
create index profiles_by_last_seen on profiles (org_id, status, (coalesce(last_seen_at, 0)), id) where kind = 'user';
