/*
 * Moves `membership_version` of the organizations in whose topics a statement has put more members. A topic that had no members before moves
 * nothing: no node remembers it. Otherwise each new direct message would let every node read all memberships of its organization again.
 */
create or replace function move_shape_of_joined() returns trigger language plpgsql as $$
declare
  v_org uuid;
  v_topic uuid;
  v_count bigint;
  v_moved uuid[] := '{}';
begin
  for v_org, v_topic, v_count in select org_id, topic_id, count(*) from changed group by org_id, topic_id loop
    continue when v_org = any(v_moved);
    perform from topic_members m where m.org_id = v_org and m.topic_id = v_topic offset v_count limit 1;
    continue when not found;
    update organization_logs set membership_version = membership_version + 1 where org_id = v_org;
    v_moved := v_moved || v_org;
  end loop;
  return null;
end $$;

create or replace trigger topic_members_joined after insert on topic_members
  referencing new table as changed for each statement execute function move_shape_of_joined();
