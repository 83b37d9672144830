/* Appends one event for the bots that `audience_of` names, and returns these. The caller has locked the log and handed out the number. */
create or replace function append_event_for(
  p_org uuid, p_seq bigint, p_id uuid, p_type text, p_topic uuid, p_data text, p_at bigint,
  p_topic_bots boolean, p_except text, p_also text[], p_poll_votes boolean, p_concerned text[], p_thread uuid
) returns text[] language plpgsql as $$
declare
  v_bots text[] := audience_of(p_org, p_topic, p_topic_bots, p_except, p_also, p_poll_votes, p_concerned, p_thread);
  v_addresses text[] := addresses_of(p_org, v_bots, p_type);
begin
  perform append_events(p_org, array[p_org], array[p_seq], p_type, array[p_id], array[p_topic], array[p_data], array[p_at], array[v_bots::text],
    case when v_addresses is not null then array[v_addresses::text] end);
  return v_bots;
end $$;
