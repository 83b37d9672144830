-- Whether admins may open what was said in topics that they are not in; each time is in the audit log.
alter table organizations add column admins_may_read boolean not null default false;
