/* A name as search compares it, without regard to case and accents; see server/search/words.ts. */
create or replace function search_name(p_name text) returns text language sql immutable parallel safe as $$
  select case when p_name ~ '^[\x01-\x7f]*$' then lower(p_name)
    else lower(replace(regexp_replace(normalize(lower(p_name), nfkd), '[\u0300-\u036f]', '', 'g'), 'ß', 'ss')) end
$$;
