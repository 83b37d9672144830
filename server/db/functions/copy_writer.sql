/*
 * Makes the functions that write messages of one group of organizations on this machine of a cluster: copies of write_messages and of
 * what it calls, which name the tables of the group themselves. Citus plans a statement that names a distributed table again for each
 * call, which takes longer than all the rest; these PostgreSQL plans once. A change of any function drops the schema with all copies
 * (function-places.ts), and the next message makes them again.
 */
create or replace function copy_writer(p_group bigint) returns void language plpgsql as $$
declare
  v_schema regnamespace := 'group_writers';
  v_functions text[] := '{write_messages,insert_messages,append_events,close_audience_blocks,audience_of,addresses_of}';
  v_text text;
  v_name text;
  v_shard bigint;
begin
  perform pg_advisory_xact_lock(hashtextextended('group_writers', p_group));
  if to_regproc('group_writers.write_messages_' || p_group) is not null then
    return;
  end if;
  perform set_config('citus.enable_ddl_propagation', 'off', true), set_config('check_function_bodies', 'off', true);
  for v_text in
    select pg_get_functiondef(p.oid) from pg_proc p
    where p.proname = any(v_functions) and p.pronamespace = (select pronamespace from pg_proc where oid = 'write_messages'::regproc)
  loop
    v_text := regexp_replace(v_text, '^(CREATE OR REPLACE FUNCTION) \w+\.', '\1 ');
    foreach v_name in array v_functions loop
      v_text := regexp_replace(v_text, '\m' || v_name || '\(', 'group_writers.' || v_name || '_' || p_group || '(', 'g');
    end loop;
    for v_name, v_shard in
      select c.relname, s.shardid from pg_dist_shard g
      join pg_dist_partition d on d.colocationid = (select o.colocationid from pg_dist_partition o where o.logicalrelid = g.logicalrelid)
      join pg_dist_shard s on s.logicalrelid = d.logicalrelid and s.shardminvalue = g.shardminvalue
      join pg_class c on c.oid = s.logicalrelid where g.shardid = p_group
    loop
      v_text := regexp_replace(v_text, '\m(from|join|into|update) ' || v_name || '\M', '\1 ' || v_name || '_' || v_shard, 'g');
    end loop;
    execute v_text;
  end loop;
  execute format('alter function group_writers.write_messages_%s set plan_cache_mode = force_generic_plan', p_group);
  -- Functions that changed since the copy was begun have another schema.
  if to_regnamespace('group_writers') is distinct from v_schema then
    raise serialization_failure using message = 'functions were changed while they were copied';
  end if;
end $$;
