/*
 * Moves `authority_version` of the organization in which somebody may have lost a right. `membership_version` moves along, since texts are
 * compared with that one alone.
 */
create or replace function move_authority() returns trigger language plpgsql as $$
declare
  v_org uuid := old.org_id;
begin
  update organization_logs
  set authority_version = authority_version + 1, membership_version = membership_version + 1
  where org_id = v_org;
  return null;
end $$;

create or replace trigger bots_authority after update of active, paused_at, secret, previous_secret, token_generation, credential, permission,
    scopes, signature_version on bots for each row
  when ((old.active, old.paused_at, old.secret, old.previous_secret, old.token_generation, old.credential, old.permission, old.scopes, old.signature_version)
    is distinct from
    (new.active, new.paused_at, new.secret, new.previous_secret, new.token_generation, new.credential, new.permission, new.scopes, new.signature_version))
  execute function move_authority();
create or replace trigger bots_gone after delete on bots for each row execute function move_authority();
create or replace trigger profiles_authority after update of status, role, account_id, sessions_ended_at, needs_proof on profiles for each row
  when (old.account_id is not null and
    (old.status, old.role, old.account_id, old.sessions_ended_at, old.needs_proof)
    is distinct from (new.status, new.role, new.account_id, new.sessions_ended_at, new.needs_proof))
  execute function move_authority();
create or replace trigger assistants_ended after delete on assistants for each row execute function move_authority();
create or replace trigger assistants_narrowed after update of signed_in_with on assistants for each row
  when (old.signed_in_with is distinct from new.signed_in_with) execute function move_authority();
create or replace trigger incoming_webhooks_authority after update of secret on incoming_webhooks for each row
  when (old.secret is distinct from new.secret) execute function move_authority();
create or replace trigger incoming_tokens_gone after delete on incoming_tokens for each row execute function move_authority();
create or replace trigger incoming_tokens_ended after update of valid_until on incoming_tokens for each row
  when (old.valid_until is distinct from new.valid_until) execute function move_authority();
create or replace trigger scim_tokens_gone after delete on scim_tokens for each row execute function move_authority();
create or replace trigger scim_tokens_ended after update of valid_until on scim_tokens for each row
  when (old.valid_until is distinct from new.valid_until) execute function move_authority();
create or replace trigger organizations_authority after update of require_second_factor, admins_need_second_factor, require_sign_on, sign_in_days, allow_assistants on organizations for each row
  when ((old.require_second_factor, old.admins_need_second_factor, old.require_sign_on, old.sign_in_days, old.allow_assistants)
    is distinct from (new.require_second_factor, new.admins_need_second_factor, new.require_sign_on, new.sign_in_days, new.allow_assistants))
  execute function move_authority();
