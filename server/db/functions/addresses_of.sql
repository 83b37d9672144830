/* The addresses of webhooks of these bots that get events of this type; null if there are none. */
create or replace function addresses_of(p_org uuid, p_bots text[], p_type text) returns text[] language plpgsql stable as $$
begin
  if cardinality(p_bots) = 0 then
    return null;
  end if;
  return (
    select array_agg(x.id)
    from (
      select b.id, b.webhook_events from bots b
      where b.org_id = p_org and b.id = any(p_bots) and b.delivery = 'webhook'
      union all
      select a.id, a.webhook_events from webhook_addresses a
      join bots b on b.org_id = a.org_id and b.id = a.bot_id
      where a.org_id = p_org and a.bot_id = any(p_bots) and b.delivery = 'webhook'
    ) x
    where x.webhook_events is null or p_type = any(x.webhook_events)
  );
end $$;
