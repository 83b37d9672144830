-- What is written together is checked in memory, against what a node knows of the topics of an organization. `shape` says
-- whether that is still so: it moves whenever who is in a topic, or what is known of them, changes. Triggers move it,
-- so that nobody who changes these tables can forget to.
alter table organization_logs add column shape bigint not null default 0;

create function move_shape_of_changed() returns trigger language plpgsql as $$
begin
  update organization_logs set shape = shape + 1 where org_id in (select org_id from changed);
  return null;
end $$;
create function move_shape() returns trigger language plpgsql as $$
begin
  update organization_logs set shape = shape + 1 where org_id = new.org_id;
  return null;
end $$;

create trigger topic_members_joined after insert on topic_members
  referencing new table as changed for each statement execute function move_shape_of_changed();
create trigger topic_members_left after delete on topic_members
  referencing old table as changed for each statement execute function move_shape_of_changed();
create trigger profiles_renamed after update on profiles for each row
  when (old.name is distinct from new.name) execute function move_shape();
create trigger bots_delivery after update on bots for each row
  when (old.delivery is distinct from new.delivery) execute function move_shape();

-- The writer has just locked the organization's row in organization_logs: no need to look the organization up for every
-- single event.
alter table events drop constraint events_org_id_fkey;
