/* Whether a legal hold stands over what this author wrote in this topic. */
create or replace function is_held(p_org_id uuid, p_topic_id uuid, p_author_id text) returns boolean language plpgsql stable as $$
begin
  return exists (
    select from legal_holds h
    where h.org_id = p_org_id and h.ended_at is null and (h.topic_id is null or h.topic_id = p_topic_id)
      and (h.profile_id is null or h.profile_id = p_author_id));
end $$;
