-- What may not be lost while something is looked into: of a topic, of what one member writes, or, with neither, of the whole organization.
create table legal_holds (
  org_id uuid not null references organizations (org_id) on delete cascade,
  id uuid not null,
  topic_id uuid,
  profile_id text collate "C",
  reason text not null check (char_length(reason) between 1 and 500),
  set_by text collate "C" not null,
  set_at bigint not null,
  ended_by text collate "C",
  ended_at bigint, -- null: it stands
  primary key (org_id, id),
  check (topic_id is null or profile_id is null)
);
-- Those that stand, which every edit and deletion asks for: nearly always none.
create index legal_holds_standing on legal_holds (org_id) where ended_at is null;
create index legal_holds_listed on legal_holds (org_id, (ended_at is null), id);

-- Messages and tasks as they were before they were edited or deleted while they were held. Nothing but the export of a hold shows them.
create table held_records (
  org_id uuid not null references organizations (org_id) on delete cascade,
  id uuid not null,
  kind text not null check (kind in ('message', 'task')),
  record_id uuid not null, -- of the message or the task
  topic_id uuid not null,
  author_id text collate "C" not null,
  change text not null check (change in ('edited', 'deleted')),
  changed_at bigint not null,
  record jsonb not null, -- its row; of a message with who reacted and with its poll
  file_ids uuid[] not null,
  primary key (org_id, id)
);
-- In the order of an export, which goes by the ids of messages.
create index held_records_order on held_records (org_id, record_id, changed_at);

create function is_held(p_org_id uuid, p_topic_id uuid, p_author_id text) returns boolean language plpgsql stable as $$
begin
  return exists (
    select from legal_holds h
    where h.org_id = p_org_id and h.ended_at is null and (h.topic_id is null or h.topic_id = p_topic_id)
      and (h.profile_id is null or h.profile_id = p_author_id));
end $$;

-- Whoever edits or deletes something, by whichever way, cannot forget that it is held. A copy refers to the files of its message as a
-- forward does, so that whoever lets go of them leaves them in the store.
create function keep_held_message() returns trigger language plpgsql as $$
declare
  files uuid[];
begin
  if is_held(old.org_id, old.topic_id, old.sender_id) then
    files := array(
      select (a ->> 'id')::uuid from jsonb_array_elements(coalesce(old.attachments, '[]')) a
      union select (old.details #>> '{preview,imageId}')::uuid where old.details #>> '{preview,imageId}' is not null);
    insert into held_records (org_id, id, kind, record_id, topic_id, author_id, change, changed_at, record, file_ids)
    values (old.org_id, gen_random_uuid(), 'message', old.id, old.topic_id, old.sender_id,
      case tg_op when 'DELETE' then 'deleted' else 'edited' end,
      case tg_op when 'UPDATE' then new.updated_at else (extract(epoch from clock_timestamp()) * 1000)::bigint end,
      jsonb_strip_nulls(to_jsonb(old) - 'org_id' || jsonb_build_object(
        'reactedBy', (select jsonb_agg(jsonb_build_object('profileId', r.profile_id, 'emoji', r.emoji, 'at', r.created_at) order by r.id)
          from reactions r where r.org_id = old.org_id and r.message_id = old.id),
        'poll', (select to_jsonb(p) - 'org_id' from polls p
          where p.org_id = old.org_id and p.id = (old.details #>> '{poll,id}')::uuid),
        'votes', (select jsonb_agg(jsonb_build_object('voterId', v.voter_id, 'optionId', v.option_id, 'at', v.created_at))
          from poll_votes v join polls p on p.org_id = v.org_id and p.id = v.poll_id
          where v.org_id = old.org_id and v.poll_id = (old.details #>> '{poll,id}')::uuid and not p.anonymous))),
      files);
    update stored_files set shares = shares + 1 where id = any(files);
  end if;
  return coalesce(new, old);
end $$;
create trigger messages_held_deleted before delete on messages for each row execute function keep_held_message();
create trigger messages_held_edited before update of text on messages for each row
  when (old.text is distinct from new.text or old.details -> 'actions' is distinct from new.details -> 'actions')
  execute function keep_held_message();

create function keep_held_task() returns trigger language plpgsql as $$
begin
  if is_held(old.org_id, old.topic_id, old.created_by) then
    insert into held_records (org_id, id, kind, record_id, topic_id, author_id, change, changed_at, record, file_ids)
    values (old.org_id, gen_random_uuid(), 'task', old.id, old.topic_id, old.created_by,
      case tg_op when 'DELETE' then 'deleted' else 'edited' end,
      case tg_op when 'UPDATE' then new.updated_at else (extract(epoch from clock_timestamp()) * 1000)::bigint end,
      to_jsonb(old) - 'org_id', '{}');
  end if;
  return coalesce(new, old);
end $$;
create trigger tasks_held_deleted before delete on tasks for each row execute function keep_held_task();
create trigger tasks_held_edited before update of title, description on tasks for each row
  when (old.title is distinct from new.title or old.description is distinct from new.description)
  execute function keep_held_task();

-- The row without a topic is about copies that are held no longer, whatever the organization says about messages.
create or replace function plan_organization_retention() returns trigger language plpgsql as $$
begin
  delete from retention_dues where org_id = new.org_id and topic_id <> '00000000-0000-0000-0000-000000000000';
  perform plan_retention(new.org_id, null, null);
  return null;
end $$;
