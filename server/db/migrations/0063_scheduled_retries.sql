-- Every writer locks a row of this table first: nobody who waits here holds what is altered below.
lock table organization_logs in exclusive mode;

-- When a scheduled message is tried again after something went wrong that was not its sender's doing; null: never tried.
alter table scheduled_messages add column retry_at bigint;
-- What is due next, of all organizations: what cannot be sent does not stand in the way of the others.
create index scheduled_messages_next on scheduled_messages (coalesce(retry_at, send_at)) where state = 'scheduled';
drop index scheduled_messages_due;
