-- Invitations that an admin asked for, of many people at once. A worker sends them as the limit of an hour allows.
alter table profiles add column invite_at bigint;
alter table profiles add column invite_by text collate "C";
create index profiles_invitations on profiles (invite_at, org_id, id) where invite_at is not null and status = 'Pending';
