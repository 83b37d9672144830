-- The home organization of the server is named in `settings`, and only what an operator does names it. Until now it was
-- the oldest one, whoever had created it. It stays that one where an operator did: with the set-up link (the audit log
-- names the owner, a person) or by command. Before there was an audit log, an agent's organization can be told by its
-- industry, which agents must give and operators cannot. If an agent's is the oldest, the only one that an operator
-- created takes its place; of several, or none, the operator chooses: `npx parley org set --org ID --home`.
with founded as (
  select o.org_id, row_number() over (order by o.created_at, o.org_id) as age,
    coalesce(
      (select a.actor_kind in ('operator', 'person') from audit_log a
       where a.org_id = o.org_id and a.target_id = o.org_id::text and a.action = 'organization.created'
       order by a.id limit 1),
      o.industry = '') as by_operator
  from organizations o
), counted as (
  select *, count(*) filter (where by_operator) over () as operators from founded
)
insert into settings (name, value)
select 'home_organization', org_id::text from counted where by_operator and (age = 1 or operators = 1);

-- Whoever opened agent sign-up had no right to, if there is no home organization.
delete from settings where name = 'agent_signup' and value = 'on'
  and not exists (select 1 from settings where name = 'home_organization');

-- Found the oldest organization.
drop index organizations_age;

-- What an operator allows one organization; null: the server's setting. `rate_limit` and `retention_days` are what its
-- owners choose, and take effect up to this.
alter table organizations
  add column rate_limit_ceiling integer check (rate_limit_ceiling >= 0), -- 0: no limit
  add column retention_days_ceiling double precision check (retention_days_ceiling > 0);

-- Operators wrote to `rate_limit` too. A value that no person set last is theirs.
update organizations o set rate_limit_ceiling = rate_limit, rate_limit = null
where rate_limit is not null and 'person' is distinct from (
  select a.actor_kind from audit_log a
  where a.org_id = o.org_id and a.target_id = o.org_id::text and a.action = 'organization.changed'
    and a.changes @> '[{"field": "rateLimit"}]'
  order by a.id desc limit 1);
