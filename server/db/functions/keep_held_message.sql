/*
 * Keeps a copy of a message under legal hold before it is edited or deleted, with its reactions and poll; nobody who changes messages can
 * forget to. What the copy consists of is looked up first, each part from one table, and its kind and time are worked out first: workers of
 * Citus cannot read `case x when …` with an x that is known.
 */
create or replace function keep_held_message() returns trigger language plpgsql as $$
declare
  files uuid[];
  v_change text := 'edited';
  v_changed_at bigint;
  v_reacted jsonb;
  v_poll jsonb;
  v_votes jsonb;
begin
  if is_held(old.org_id, old.topic_id, old.sender_id) then
    if tg_op = 'DELETE' then
      v_change := 'deleted';
      v_changed_at := (extract(epoch from clock_timestamp()) * 1000)::bigint;
    else
      v_changed_at := new.updated_at;
    end if;
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
    values (old.org_id, gen_random_uuid(), 'message', old.id, old.topic_id, old.sender_id, v_change, v_changed_at,
      jsonb_strip_nulls(to_jsonb(old) - 'org_id' || jsonb_build_object('reactedBy', v_reacted, 'poll', v_poll, 'votes', v_votes)),
      files);
  end if;
  return coalesce(new, old);
end $$;

create or replace trigger messages_held_deleted before delete on messages for each row execute function keep_held_message();
create or replace trigger messages_held_edited before update of text on messages for each row
  when (old.text is distinct from new.text or old.details -> 'actions' is distinct from new.details -> 'actions')
  execute function keep_held_message();
