-- Whether the links in an organization's messages are shown with a preview.
alter table organizations add column link_previews boolean not null default true;

-- What pages say of themselves, for all messages of an organization that link to them, until it is asked again. While a page is being fetched,
-- and where it says nothing, there is no preview. The picture is kept for as long as this row or a message shows it.
create table link_previews (
  org_id uuid not null references organizations (org_id),
  url_hash bytea not null, -- SHA-256: addresses are longer than an index takes
  preview jsonb,
  image_file_id uuid,
  fetched boolean not null default false,
  expires_at bigint not null, -- whoever fetches it has it until then; afterwards it is forgotten
  primary key (org_id, url_hash)
);
-- For the worker that forgets them: only ever looked at from its oldest end.
create index link_previews_expiry on link_previews (expires_at);
