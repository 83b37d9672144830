create table sidebar_sections (
  org_id uuid not null,
  profile_id text collate "C" not null,
  id text collate "C" not null,
  name text check (char_length(name) between 1 and 40),
  place integer not null default 0,
  folded boolean not null default false,
  sorting text not null default 'name' check (sorting in ('name', 'recent', 'hand')),
  primary key (org_id, profile_id, id),
  constraint sidebar_sections_built_in check ((name is null) = (id in ('unread', 'favourites', 'topics', 'direct')))
);

alter table topic_states add column section_id text collate "C";
alter table topic_states add column place integer;

-- once placed
alter table sidebar_sections add foreign key (org_id, profile_id) references profiles (org_id, id);
alter table topic_states add foreign key (org_id, profile_id, section_id)
  references sidebar_sections (org_id, profile_id, id);
