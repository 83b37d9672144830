alter table organizations add column edit_minutes integer check (edit_minutes >= 0);
