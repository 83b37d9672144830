-- Some migrations were changed after they had been applied here and there. This makes databases of either kind the same; from here on
-- checksums keep applied migrations as they are.

-- As 0015_message_writer.sql has it.
drop trigger if exists topics_announcement on topics;
create trigger topics_announcement after update on topics for each row
  when (old.announcement is distinct from new.announcement) execute function move_shape();
-- As 0007_people.sql has it: a new link to set a password ends the ones before.
create index if not exists one_time_tokens_account on one_time_tokens (account_id) where account_id is not null;
