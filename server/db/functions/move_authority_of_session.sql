/*
 * Moves `authority_version` where a session of an account has ended: in each organization that its person is in, in the order in which others
 * lock these. A session that had expired gave no right any more.
 */
create or replace function move_authority_of_session() returns trigger language plpgsql as $$
declare
  v_org uuid;
begin
  if old.expires_at <= extract(epoch from clock_timestamp()) * 1000 then
    return null;
  end if;
  for v_org in select p.org_id from profiles p where p.account_id = old.account_id and p.kind = 'user' order by p.org_id loop
    update organization_logs
    set authority_version = authority_version + 1, membership_version = membership_version + 1
    where org_id = v_org;
  end loop;
  return null;
end $$;

create or replace trigger sessions_authority after delete on sessions for each row execute function move_authority_of_session();
create or replace trigger sessions_narrowed after update of signed_in_with on sessions for each row
  when (old.signed_in_with is distinct from new.signed_in_with) execute function move_authority_of_session();
