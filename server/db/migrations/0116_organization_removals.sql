-- Organizations that an operator is removing, a step at a time. The row goes with the organization, in the last step.
create table organization_removals (
  org_id uuid primary key references organizations (org_id) on delete cascade,
  asked_at bigint not null
);
