/*
 * Closes the blocks of an organization that are full when `p_last` is the number of its newest event. The caller has locked the row of
 * the log. Row by row, as plan_retention.sql.
 */
create or replace function close_audience_blocks(p_org uuid, p_last bigint) returns void language plpgsql as $$
declare
  v_from bigint := (select l.audience_blocks from organization_logs l where l.org_id = p_org);
  v_to bigint := (p_last + 1) >> 8;
  v_bot text;
  v_block bigint;
  v_places smallint[];
begin
  for v_bot, v_block, v_places in
    select bot, e.seq >> 8, array_agg((e.seq & 255)::smallint) from events e cross join unnest(e.bot_ids) as bot
    where e.org_id = p_org and e.seq >= v_from << 8 and e.seq < v_to << 8 group by bot, e.seq >> 8
  loop
    insert into audience_blocks (org_id, bot_id, block, places) values (p_org, v_bot, v_block, v_places);
  end loop;
  update organization_logs set audience_blocks = v_to where org_id = p_org and audience_blocks < v_to;
end $$;
