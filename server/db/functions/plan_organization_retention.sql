/*
 * Plans the retention of all topics of an organization that keeps messages for another time. The row without a topic is about copies that
 * are held no longer, whatever the organization says about messages: it stays.
 */
create or replace function plan_organization_retention() returns trigger language plpgsql as $$
begin
  delete from retention_dues where org_id = new.org_id and topic_id <> '00000000-0000-0000-0000-000000000000';
  perform plan_retention(new.org_id, null, null);
  return null;
end $$;

create or replace trigger organizations_retention after update of keep_messages_days on organizations for each row
  when (old.keep_messages_days is distinct from new.keep_messages_days) execute function plan_organization_retention();
