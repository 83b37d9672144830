-- Events that say what a message says, besides the `message.created` that its id leads to (server/events/without-words.ts): an edit or
-- deletion finds them here and takes the words out. `has_words` is false once an edit has done so.
create table message_events (
  org_id uuid not null,
  message_id uuid not null,
  seq bigint not null,
  has_words boolean not null default true,
  primary key (org_id, message_id, seq)
);
-- Events leave the log by their numbers.
create index message_events_seq on message_events (org_id, seq);
-- once placed
-- Of a message that was written as it was sent, `message.created` has the next tick of its organization's clock.
insert into message_events (org_id, message_id, seq)
select x.org_id, x.message_id::uuid, x.seq
from (
  select e.org_id, e.seq, e.type, coalesce(e.data #>> '{message,id}', e.data ->> 'messageId') as message_id,
    replace(e.id::text, '-', '') as event_digits
  from events e where e.type in ('message.created', 'message.updated', 'message.previewed', 'message.command')
) x
where x.message_id is not null and (x.type <> 'message.created'
  or ('x' || left(x.event_digits, 12) || substr(x.event_digits, 14, 3))::bit(60)::bigint - 1
    <> ('x' || left(replace(x.message_id, '-', ''), 12) || substr(replace(x.message_id, '-', ''), 14, 3))::bit(60)::bigint);
