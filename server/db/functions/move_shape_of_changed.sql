/*
 * Moves `membership_version` of the organizations whose rows a statement added or removed, so that nodes read memberships again. Each
 * organization is named as a value: on a cluster that is done on the machine that has it.
 */
create or replace function move_shape_of_changed() returns trigger language plpgsql as $$
declare
  v_org uuid;
begin
  for v_org in select distinct org_id from changed loop
    update organization_logs set membership_version = membership_version + 1 where org_id = v_org;
  end loop;
  return null;
end $$;

create or replace trigger topic_members_left after delete on topic_members
  referencing old table as changed for each statement execute function move_shape_of_changed();
create or replace trigger bots_deleted after delete on bots
  referencing old table as changed for each statement execute function move_shape_of_changed();
create or replace trigger webhook_addresses_added after insert on webhook_addresses
  referencing new table as changed for each statement execute function move_shape_of_changed();
create or replace trigger webhook_addresses_removed after delete on webhook_addresses
  referencing old table as changed for each statement execute function move_shape_of_changed();
