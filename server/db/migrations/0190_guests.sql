alter table profiles add column guest_until bigint;
alter table profiles drop constraint profiles_role_check;
alter table profiles add constraint profiles_role_check check (role in ('owner', 'admin', 'member', 'guest'));
alter table profiles add constraint profiles_guest_end check (guest_until is null or role = 'guest');
create index profiles_guests on profiles (org_id, id) where role = 'guest';
create index profiles_guest_ends on profiles (guest_until, org_id, id)
  where guest_until is not null and status in ('Active', 'Pending');

alter table organizations add column members_invite_guests boolean not null default false;
