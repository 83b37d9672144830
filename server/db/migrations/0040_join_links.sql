-- Links by which anybody with an address of certain domains can join, until they end.
create table join_links (
  org_id uuid not null references organizations,
  id uuid not null,
  token_hash bytea not null unique, -- what finds it, before its organization is known
  token bytea not null, -- encrypted: admins copy the link again
  domains text[] not null check (cardinality(domains) between 1 and 10),
  max_uses integer check (max_uses > 0), -- null: no limit
  uses integer not null default 0,
  expires_at bigint not null,
  created_by text collate "C" not null,
  created_at bigint not null,
  primary key (org_id, id)
);

-- Who asked to join by one, and was sent a mail to prove their address with.
create table join_requests (
  token_hash bytea primary key,
  org_id uuid not null,
  link_id uuid not null,
  email text not null,
  email_key text not null,
  expires_at bigint not null,
  created_at bigint not null,
  foreign key (org_id, link_id) references join_links (org_id, id) on delete cascade
);
-- How many mails a link had sent lately; and those that go with it.
create index join_requests_link on join_requests (org_id, link_id, created_at);
