-- Every writer locks a row of this table first: nobody who waits here holds what is altered below.
lock table organization_logs in exclusive mode;

-- Open topics can be found, read and joined by every person of the organization. New people are in those that are joined by
-- default. Nobody writes in a topic that is archived. Of direct messages there is one for each set of members, which
-- `member_key` names: their ids, sorted, with commas between.
alter table topics
  add column open boolean not null default false,
  add column joined_by_default boolean not null default false,
  add column archived_at bigint,
  add column member_key text collate "C",
  add constraint topics_default_is_open check (open or not joined_by_default) not valid;

-- Direct messages that are there already; of several with the same members the oldest is the one that is found.
update topics t set member_key = x.member_key
from (
  select distinct on (y.org_id, y.member_key) y.* from (
    select m.org_id, m.topic_id, min(m.topic_created_at) as created_at,
      string_agg(m.profile_id, ',' order by m.profile_id) as member_key
    from topic_members m join topics t on t.org_id = m.org_id and t.id = m.topic_id
    where t.type = 'dm' group by m.org_id, m.topic_id
  ) y
  order by y.org_id, y.member_key, y.created_at, y.topic_id
) x
where t.org_id = x.org_id and t.id = x.topic_id;
create unique index topics_member_key on topics (org_id, member_key) where member_key is not null;
-- Open topics by name. Most topics are closed, and in neither index.
create index topics_open on topics (org_id, lower(name), id) where open and archived_at is null;
create index topics_joined_by_default on topics (org_id) where joined_by_default;

-- Who may write depends on these as well.
create trigger topics_archived after update of archived_at on topics for each row
  when (old.archived_at is distinct from new.archived_at) execute function move_shape();
create trigger profiles_status after update of status on profiles for each row
  when (old.status is distinct from new.status) execute function move_shape();

-- Requests of people are let in by what nodes remember of sessions: a role, and an account's address, are part of that.
create trigger profiles_role_told after update of role, account_id on profiles for each row
  when (old.account_id is not null and
    (old.role is distinct from new.role or old.account_id is distinct from new.account_id))
  execute function tell_changed_account();
create function tell_changed_address() returns trigger language plpgsql as $$
begin
  perform pg_notify('parley_sessions', old.id::text);
  return null;
end $$;
create trigger accounts_address after update of email on accounts for each row
  when (old.email is distinct from new.email) execute function tell_changed_address();
create trigger organizations_limits after update of rate_limit, rate_limit_ceiling on organizations for each row
  when (old.rate_limit is distinct from new.rate_limit or old.rate_limit_ceiling is distinct from new.rate_limit_ceiling)
  execute function tell_changed_organization();

-- What a person has done with a topic. A read position is the id of a message, which is time-ordered: everything up to it has
-- been read. It takes one row, however long the topic is. All zeros: nothing has been read, not even what was said before
-- they joined.
create table topic_states (
  org_id uuid not null,
  profile_id text collate "C" not null,
  topic_id uuid not null,
  read_to uuid, -- null: what was said before they joined
  muted boolean not null default false,
  favourite boolean not null default false,
  primary key (org_id, profile_id, topic_id),
  foreign key (org_id, profile_id) references profiles (org_id, id),
  foreign key (org_id, topic_id) references topics (org_id, id)
);
-- Until now people could not read. What was said until now is not waiting for them.
insert into topic_states (org_id, profile_id, topic_id, read_to)
select m.org_id, m.profile_id, m.topic_id,
  (lpad(to_hex((extract(epoch from now()) * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid
from topic_members m where not starts_with(m.profile_id, 'b@');

-- Who is mentioned where, people alone: how many mentions are unread is a range of this index.
create table mentions (
  org_id uuid not null,
  profile_id text collate "C" not null,
  topic_id uuid not null,
  message_id uuid not null,
  primary key (org_id, profile_id, topic_id, message_id)
);

-- What was written and not sent. `parent_id` is all zeros where it is not a reply.
create table drafts (
  org_id uuid not null,
  profile_id text collate "C" not null,
  topic_id uuid not null,
  parent_id uuid not null default '00000000-0000-0000-0000-000000000000',
  text text not null check (char_length(text) between 1 and 10000),
  updated_at bigint not null,
  primary key (org_id, profile_id, topic_id, parent_id),
  foreign key (org_id, profile_id) references profiles (org_id, id),
  foreign key (org_id, topic_id) references topics (org_id, id)
);

create table pins (
  org_id uuid not null,
  topic_id uuid not null,
  message_id uuid not null,
  pinned_by text collate "C" not null,
  pinned_at bigint not null,
  primary key (org_id, topic_id, message_id),
  foreign key (org_id, topic_id) references topics (org_id, id)
);

-- Everybody of an organization, whatever their state, the oldest first.
create index profiles_age on profiles (org_id, created_at, id);

-- As before (0015_message_writer.sql), and takes down who is mentioned, where anybody is.
create or replace function send_messages(
  p_org uuid, p_version bigint, p_now bigint, p_keys_since bigint, p_patience integer,
  p_topics uuid[], p_senders text[], p_texts text[], p_mentions text[], p_external_ids text[], p_tails text[],
  p_heads text[], p_ends text[], p_bots text[], p_webhook_bots text[], p_parents uuid[], p_keys text[], p_hashes text[]
) returns table (state text, first_seq bigint, first_tick bigint, problems json) language plpgsql as $$
declare
  v_count bigint := cardinality(p_topics);
  v_seq bigint;
  v_tick bigint;
  v_problems json;
begin
  if p_patience is not null then
    perform set_config('lock_timeout', p_patience::text, true);
  end if;
  if p_keys is not null or p_parents is not null then
    perform from organization_logs l where l.org_id = p_org for update;
  end if;
  if p_keys is not null then
    select json_agg(json_build_object('place', x.place, 'hash', encode(a.request_hash, 'hex'), 'status', a.status,
      'plainBody', a.plain_body, 'body', encode(a.body, 'base64'))) into v_problems
    from unnest(p_senders, p_keys) with ordinality as x (owner, key, place)
    join idempotent_answers a on a.org_id = p_org and a.owner = x.owner and a.key = x.key
      and a.created_at > p_keys_since
    where x.key is not null;
    if v_problems is not null then
      return query select 'known', 0::bigint, 0::bigint, v_problems;
      return;
    end if;
  end if;
  if p_parents is not null then
    select json_agg(x.place) into v_problems
    from unnest(p_topics, p_parents) with ordinality as x (topic_id, parent_id, place)
    where x.parent_id is not null and not exists (
      select from messages m where m.org_id = p_org and m.id = x.parent_id and m.topic_id = x.topic_id
    );
    if v_problems is not null then
      return query select 'orphaned', 0::bigint, 0::bigint, v_problems;
      return;
    end if;
  end if;

  update organization_logs l
  set last_seq = l.last_seq + v_count, last_tick = greatest(l.last_tick + 1, p_now << 12) + 2 * v_count - 1
  where l.org_id = p_org and l.membership_version = p_version
  returning l.last_seq - v_count + 1, l.last_tick - 2 * v_count + 1 into v_seq, v_tick;
  if v_seq is null then
    return query select 'stale', 0::bigint, 0::bigint, null::json;
    return;
  end if;

  with item as materialized (
    select x.*, x.bots::text[] as bot_ids, v_seq + x.place - 1 as seq, (x.tick >> 12) as at, ((x.tick + 1) >> 12) as event_at,
      (lpad(to_hex(x.tick >> 12), 12, '0') || '7' || lpad(to_hex(x.tick & 4095), 3, '0') || left(x.tail, 16))::uuid as id,
      (lpad(to_hex((x.tick + 1) >> 12), 12, '0') || '7' || lpad(to_hex((x.tick + 1) & 4095), 3, '0') || right(x.tail, 16))::uuid as event_id
    from (
      select y.*, v_tick + 2 * (y.place - 1) as tick
      from unnest(p_topics, p_senders, p_texts, p_mentions, p_external_ids, p_tails, p_heads, p_ends, p_bots, p_parents)
        with ordinality as y (topic_id, sender_id, text, mentions, external_id, tail, head, ending, bots, parent_id, place)
    ) x
  ), message as (
    insert into messages (org_id, id, topic_id, sender_id, type, text, mentions, parent_id, external_id, created_at, updated_at)
    select p_org, id, topic_id, sender_id, 'text', text, coalesce(mentions::text[], '{}'), parent_id, external_id, at, at from item
  ), event as (
    insert into events (org_id, seq, id, type, topic_id, data, created_at, bot_ids)
    select p_org, seq, event_id, 'message.created', topic_id,
      ('{"message":{"id":"' || id || head || '"createdAt":' || at || ',"updatedAt":' || at || ending)::json,
      event_at, bot_ids
    from item
  )
  insert into event_audience (org_id, bot_id, seq)
  select p_org, bot, item.seq from item, unnest(item.bot_ids) as bot;

  if p_webhook_bots is not null then
    insert into deliveries (org_id, bot_id, seq, id, topic_id, due_at)
    select p_org, bot, v_seq + x.place - 1,
      (lpad(to_hex(x.tick >> 12), 12, '0') || '7' || lpad(to_hex(x.tick & 4095), 3, '0') || replace(right(bot, 17), '-', ''))::uuid,
      x.topic_id, x.tick >> 12
    from (
      select y.*, v_tick + 2 * y.place - 1 as tick
      from unnest(p_topics, p_webhook_bots) with ordinality as y (topic_id, bots, place)
    ) x, unnest(x.bots::text[]) as bot;
  end if;
  if p_mentions is not null then
    insert into mentions (org_id, profile_id, topic_id, message_id)
    select p_org, mentioned, x.topic_id,
      (lpad(to_hex(x.tick >> 12), 12, '0') || '7' || lpad(to_hex(x.tick & 4095), 3, '0') || left(x.tail, 16))::uuid
    from (
      select y.*, v_tick + 2 * (y.place - 1) as tick
      from unnest(p_topics, p_senders, p_mentions, p_tails) with ordinality as y (topic_id, sender_id, mentions, tail, place)
    ) x, unnest(x.mentions::text[]) as mentioned
    where mentioned <> x.sender_id and not starts_with(mentioned, 'b@');
  end if;
  if p_parents is not null then
    update messages m set reply_count = m.reply_count + x.count
    from (select parent_id, count(*) from unnest(p_parents) as parent_id where parent_id is not null group by parent_id) x
    where m.org_id = p_org and m.id = x.parent_id;
  end if;
  if p_keys is not null then
    insert into idempotent_answers (org_id, owner, key, request_hash, status, plain_body, created_at)
    select p_org, x.owner, x.key, decode(x.hash, 'hex'), 201,
      '{"id":"' || (lpad(to_hex(x.tick >> 12), 12, '0') || '7' || lpad(to_hex(x.tick & 4095), 3, '0') || left(x.tail, 16))::uuid
        || '","topicId":"' || x.topic_id || '","createdAt":' || (x.tick >> 12) || '}',
      p_now
    from (
      select y.*, v_tick + 2 * (y.place - 1) as tick
      from unnest(p_senders, p_keys, p_hashes, p_topics, p_tails)
        with ordinality as y (owner, key, hash, topic_id, tail, place)
      where y.key is not null
    ) x
    on conflict (org_id, owner, key) do update set request_hash = excluded.request_hash, status = excluded.status,
      body = null, plain_body = excluded.plain_body, created_at = excluded.created_at;
  end if;
  return query select 'written', v_seq, v_tick, null::json;
end $$;
