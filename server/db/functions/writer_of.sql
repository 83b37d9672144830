/*
 * Returns the name of the function of this machine that writes messages of this organization straight into the tables of its group
 * (copy_writer.sql); null where another machine has the organization. Holds the group until the transaction ends, by the lock
 * with which Citus stops the writers of a group that it moves. Only a cluster calls it.
 */
create or replace function writer_of(p_org uuid) returns text language plpgsql as $$
declare
  v_group bigint := get_shard_id_for_distribution_column('organization_logs', p_org);
  v_name text := 'group_writers.write_messages_' || v_group;
begin
  perform lock_shard_metadata(5, array[v_group]); -- ShareLock; a move takes ExclusiveLock on every machine
  -- The group may have been moved or divided while this waited.
  if to_regnamespace('group_writers') is null or not exists (
    select from pg_dist_placement p join pg_dist_local_group g on g.groupid = p.groupid where p.shardid = v_group
  ) then
    return null;
  end if;
  if to_regproc(v_name) is null then
    perform copy_writer(v_group);
  end if;
  return v_name;
end $$;
