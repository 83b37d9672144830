create table audit_destinations (
  org_id uuid not null,
  id uuid not null,
  kind text not null check (kind in ('webhook', 'syslog')),
  address text not null,
  ca_certificate text,
  secret bytea,
  created_by text collate "C" not null,
  created_at bigint not null,
  sent_to uuid not null,
  sent_at bigint,
  due_at bigint not null,
  leased_until bigint not null default 0,
  failures integer not null default 0,
  failing_since bigint,
  fault_kind text,
  fault_detail text,
  primary key (org_id, id)
);
create index audit_destinations_due on audit_destinations (due_at, org_id, id);

-- once placed
alter table audit_destinations add foreign key (org_id) references organizations (org_id) on delete cascade;
