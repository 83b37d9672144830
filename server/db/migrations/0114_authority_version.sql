-- Every writer locks a row of this table first: nobody who waits here holds what is altered below.
lock table organization_logs in exclusive mode;

-- Moves with each change that can take a right from a bot, a person or an assistant. A writer compares it, under the lock that it has anyway,
-- with the version at which its caller was let in. `membership_version` moves along: texts are written by that one alone.
alter table organization_logs add column authority_version bigint not null default 0;

create function move_authority() returns trigger language plpgsql as $$
declare
  v_org uuid := old.org_id;
begin
  update organization_logs
  set authority_version = authority_version + 1, membership_version = membership_version + 1, shape = shape + 1
  where org_id = v_org;
  return null;
end $$;

create trigger bots_authority after update of active, paused_at, secret, previous_secret, token_generation, credential, permission, scopes, signature_version
  on bots for each row
  when ((old.active, old.paused_at, old.secret, old.previous_secret, old.token_generation, old.credential, old.permission, old.scopes, old.signature_version)
    is distinct from
    (new.active, new.paused_at, new.secret, new.previous_secret, new.token_generation, new.credential, new.permission, new.scopes, new.signature_version))
  execute function move_authority();
create trigger bots_gone after delete on bots for each row execute function move_authority();
create trigger profiles_authority after update of status, role, account_id, sessions_ended_at, needs_proof on profiles for each row
  when (old.account_id is not null and
    (old.status, old.role, old.account_id, old.sessions_ended_at, old.needs_proof)
    is distinct from (new.status, new.role, new.account_id, new.sessions_ended_at, new.needs_proof))
  execute function move_authority();
create trigger assistants_ended after delete on assistants for each row execute function move_authority();
create trigger incoming_webhooks_authority after update of secret on incoming_webhooks for each row
  when (old.secret is distinct from new.secret) execute function move_authority();
create trigger incoming_tokens_gone after delete on incoming_tokens for each row execute function move_authority();
create trigger incoming_tokens_ended after update of valid_until on incoming_tokens for each row
  when (old.valid_until is distinct from new.valid_until) execute function move_authority();
-- Where organizations live on several machines, an action does it (spread-news.ts).
do $$
begin
  if to_regclass('spreading') is null then
    create trigger organizations_authority after update of require_second_factor, allow_assistants on organizations for each row
      when ((old.require_second_factor, old.allow_assistants) is distinct from (new.require_second_factor, new.allow_assistants))
      execute function move_authority();
  end if;
end $$;

-- Sessions are of accounts: they end in each organization that their person is in, in the order in which others lock these. One that
-- had expired gave no right any more.
create function move_authority_of_session() returns trigger language plpgsql as $$
declare
  v_org uuid;
begin
  if old.expires_at <= extract(epoch from clock_timestamp()) * 1000 then
    return null;
  end if;
  for v_org in select p.org_id from profiles p where p.account_id = old.account_id and p.kind = 'user' order by p.org_id loop
    update organization_logs
    set authority_version = authority_version + 1, membership_version = membership_version + 1, shape = shape + 1
    where org_id = v_org;
  end loop;
  return null;
end $$;
create trigger sessions_authority after delete on sessions for each row execute function move_authority_of_session();
create trigger sessions_narrowed after update of signed_in_with on sessions for each row
  when (old.signed_in_with is distinct from new.signed_in_with) execute function move_authority_of_session();
