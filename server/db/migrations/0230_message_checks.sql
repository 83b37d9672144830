alter table organizations add column message_check bigint;
create table message_checks (
  org_id uuid primary key,
  address text not null,
  secret bytea not null,
  when_away text not null check (when_away in ('send', 'refuse')),
  set_by text collate "C" not null,
  set_at bigint not null,
  failing_since bigint,
  fault_kind text,
  fault_detail text
);

-- once placed
alter table message_checks add foreign key (org_id) references organizations (org_id) on delete cascade;
