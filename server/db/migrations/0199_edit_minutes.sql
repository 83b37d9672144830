alter table organizations add column edit_minutes integer;
alter table organizations add constraint organizations_edit_minutes_check check (edit_minutes >= 0);
