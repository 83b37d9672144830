-- Pictures that people of an organization use beside the emoji that everybody has, as `:name:` in messages and reactions.
create table custom_emoji (
  org_id uuid not null references organizations (org_id),
  name text not null,
  file_id uuid not null,
  created_by text not null,
  created_at bigint not null,
  primary key (org_id, name)
);
