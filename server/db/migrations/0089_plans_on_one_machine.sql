-- As before, row by row: a statement that inserts what it selects is planned for all machines once PostgreSQL plans it for any organization,
-- and a trigger may reach only what is beside it.
create or replace function plan_retention(p_org_id uuid, p_topic_id uuid, p_due_at bigint) returns void language plpgsql as $$
declare
  v_days integer := (select o.keep_messages_days from organizations o where o.org_id = p_org_id);
  v_topic_id uuid;
  v_due_at bigint;
begin
  for v_topic_id, v_due_at in
    select t.id, coalesce(p_due_at + 86400000 * coalesce(t.keep_messages_days, v_days)::bigint, 0) from topics t
    where t.org_id = p_org_id and (p_topic_id is null or t.id = p_topic_id) and coalesce(t.keep_messages_days, v_days, 0) > 0
  loop
    insert into retention_dues (org_id, topic_id, due_at) values (p_org_id, v_topic_id, v_due_at)
    on conflict (org_id, topic_id) do update set due_at = excluded.due_at, done_to = null;
  end loop;
end $$;

-- As before, with what a copy consists of looked up first, each from one table or from two that are beside each other.
create or replace function keep_held_message() returns trigger language plpgsql as $$
declare
  files uuid[];
  v_reacted jsonb;
  v_poll jsonb;
  v_votes jsonb;
begin
  if is_held(old.org_id, old.topic_id, old.sender_id) then
    files := array(
      select (a ->> 'id')::uuid from jsonb_array_elements(coalesce(old.attachments, '[]')) a
      union select (old.details #>> '{preview,imageId}')::uuid where old.details #>> '{preview,imageId}' is not null);
    select jsonb_agg(jsonb_build_object('profileId', r.profile_id, 'emoji', r.emoji, 'at', r.created_at) order by r.id) into v_reacted
    from reactions r where r.org_id = old.org_id and r.message_id = old.id;
    if old.details #>> '{poll,id}' is not null then
      select to_jsonb(p) - 'org_id' into v_poll from polls p
      where p.org_id = old.org_id and p.id = (old.details #>> '{poll,id}')::uuid;
    end if;
    if v_poll is not null and not (v_poll ->> 'anonymous')::boolean then
      select jsonb_agg(jsonb_build_object('voterId', v.voter_id, 'optionId', v.option_id, 'at', v.created_at)) into v_votes
      from poll_votes v where v.org_id = old.org_id and v.poll_id = (old.details #>> '{poll,id}')::uuid;
    end if;
    insert into held_records (org_id, id, kind, record_id, topic_id, author_id, change, changed_at, record, file_ids)
    values (old.org_id, gen_random_uuid(), 'message', old.id, old.topic_id, old.sender_id,
      case tg_op when 'DELETE' then 'deleted' else 'edited' end,
      case tg_op when 'UPDATE' then new.updated_at else (extract(epoch from clock_timestamp()) * 1000)::bigint end,
      jsonb_strip_nulls(to_jsonb(old) - 'org_id' || jsonb_build_object('reactedBy', v_reacted, 'poll', v_poll, 'votes', v_votes)),
      files);
    if files <> '{}' then
      update stored_files set shares = shares + 1 where id = any(files);
    end if;
  end if;
  return coalesce(new, old);
end $$;
