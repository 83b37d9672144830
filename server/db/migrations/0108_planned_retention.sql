-- A shorter time for messages counts a day after an owner chose it: until then it can be taken back.
alter table organizations add column keep_messages_next_days integer;
alter table organizations add constraint organizations_keep_messages_next_days_check
  check (keep_messages_next_days between 1 and 36500);
alter table organizations add column keep_messages_next_at bigint;
alter table organizations add column keep_messages_next_by text collate "C";
-- The server looks for those whose time has come, in all organizations: nearly always none.
create index organizations_keep_messages_next on organizations (keep_messages_next_at) where keep_messages_next_at is not null;
