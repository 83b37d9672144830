/* Keeps a copy of a task under legal hold before it is edited or deleted, as keep_held_message.sql does. */
create or replace function keep_held_task() returns trigger language plpgsql as $$
declare
  v_change text := 'edited';
  v_changed_at bigint;
begin
  if is_held(old.org_id, old.topic_id, old.created_by) then
    if tg_op = 'DELETE' then
      v_change := 'deleted';
      v_changed_at := (extract(epoch from clock_timestamp()) * 1000)::bigint;
    else
      v_changed_at := new.updated_at;
    end if;
    insert into held_records (org_id, id, kind, record_id, topic_id, author_id, change, changed_at, record, file_ids)
    values (old.org_id, gen_random_uuid(), 'task', old.id, old.topic_id, old.created_by, v_change, v_changed_at,
      to_jsonb(old) - 'org_id', '{}');
  end if;
  return coalesce(new, old);
end $$;

create or replace trigger tasks_held_deleted before delete on tasks for each row execute function keep_held_task();
create or replace trigger tasks_held_edited before update of title, description on tasks for each row
  when (old.title is distinct from new.title or old.description is distinct from new.description)
  execute function keep_held_task();
