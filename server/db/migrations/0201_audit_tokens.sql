alter table scim_tokens add column kind text not null default 'scim';
alter table scim_tokens add constraint scim_tokens_kind_check check (kind in ('scim', 'audit'));
create unique index scim_tokens_kind on scim_tokens (org_id, kind, (valid_until is null));
drop index scim_tokens_organization;
