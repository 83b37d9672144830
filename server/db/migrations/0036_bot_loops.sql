-- Since when bots may not write in a topic, because they only answered each other; null: they may. A person ends it.
alter table topics add column bots_stopped_at bigint;
-- Nodes remember who may write.
create trigger topics_bots_stopped after update of bots_stopped_at on topics for each row
  when (old.bots_stopped_at is distinct from new.bots_stopped_at) execute function move_shape();
-- The few topics that an admin should look at.
create index topics_with_stopped_bots on topics (org_id, bots_stopped_at) where bots_stopped_at is not null;
