/*
 * Inserts messages; nothing else inserts any. `p_orgs` has the organization of each; those without one are passed over. `p_rest` has what
 * plain texts lack, by column in camel case; it is null where all of them are plain texts. On a cluster `p_org` is the
 * organization of all of them: a statement that names it runs on the one machine that has it. Elsewhere it is null.
 */
create or replace function insert_messages(
  p_org uuid, p_orgs uuid[], p_ids uuid[], p_topics uuid[], p_senders text[], p_texts text[], p_mentions text[], p_parents uuid[],
  p_external_ids text[], p_ats bigint[], p_rest jsonb[]
) returns void language plpgsql as $$
begin
  insert into messages (org_id, id, topic_id, sender_id, type, text, mentions, parent_id, external_id, is_system, is_edited,
    thread_only, reactions, details, attachments, appeared_id, created_at, updated_at)
  select l.org_id, x.id, x.topic_id, x.sender_id, coalesce(x.rest ->> 'type', 'text'), x.text, coalesce(x.mentions::text[], '{}'),
    x.parent_id, x.external_id, coalesce((x.rest ->> 'isSystem')::boolean, false), coalesce((x.rest ->> 'isEdited')::boolean, false),
    coalesce((x.rest ->> 'threadOnly')::boolean, false), coalesce(x.rest -> 'reactions', '[]'), x.rest -> 'details', x.rest -> 'attachments', (x.rest ->> 'appearedId')::uuid,
    x.at, coalesce((x.rest ->> 'updatedAt')::bigint, x.at)
  from organization_logs l
  join unnest(p_orgs, p_ids, p_topics, p_senders, p_texts, p_mentions, p_parents, p_external_ids, p_ats, p_rest)
    as x (org_id, id, topic_id, sender_id, text, mentions, parent_id, external_id, at, rest) on x.org_id = l.org_id
  where p_org is null or l.org_id = p_org;
end $$;
