/* Plans the retention of a topic that is new or keeps messages for another time. */
create or replace function plan_topic_retention() returns trigger language plpgsql as $$
begin
  delete from retention_dues where org_id = new.org_id and topic_id = new.id;
  perform plan_retention(new.org_id, new.id, case when tg_op = 'INSERT' then new.created_at end);
  return null;
end $$;

create or replace trigger topics_retention_of_new after insert on topics for each row execute function plan_topic_retention();
create or replace trigger topics_retention after update of keep_messages_days on topics for each row
  when (old.keep_messages_days is distinct from new.keep_messages_days) execute function plan_topic_retention();
