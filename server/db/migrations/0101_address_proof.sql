-- Every writer locks a row of this table first: nobody who waits here holds what is altered below.
lock table organization_logs in exclusive mode;

-- Whether the account must prove its address before it opens this organization: the membership was attached to the address while
-- nobody had proven it, and no invitation of the organization itself was accepted since.
alter table profiles add column needs_proof boolean not null default false;

-- An account begins without proof, until a mailed link, single sign-on or an operator proves it.
alter table accounts alter column email_proven set default false;
update accounts set email_proven = false
  where email_proven and password is null and id not in (select account_id from passkeys)
    and id not in (select account_id from external_accounts);

-- Members who can sign in today stay in. People who are archived, deleted or invited, and those whose account has no way to sign in
-- yet, prove the address first: whoever got hold of such an account before must not open what comes later.
update profiles set needs_proof = true
  where kind = 'user' and account_id is not null and (status <> 'Active' or account_id in (
    select id from accounts where password is null and id not in (select account_id from passkeys)
      and id not in (select account_id from external_accounts)));
