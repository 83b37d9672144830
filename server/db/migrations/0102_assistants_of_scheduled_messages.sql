-- Every writer locks a row of this table first: nobody who waits here holds what is altered below.
lock table organization_logs in exclusive mode;

-- The assistant that must still be connected when the message is due; null: the sender decided on it. `assistant` is the mark of
-- the one that wrote the text.
alter table scheduled_messages add column assistant_id uuid;
update scheduled_messages set assistant_id = (assistant ->> 'id')::uuid where assistant is not null;
