alter table scheduled_messages add column held_reason text;
alter table scheduled_messages add column reviewed_by text collate "C";
alter table scheduled_messages drop constraint scheduled_messages_state_check;
alter table scheduled_messages add constraint scheduled_messages_state_check check (state in ('scheduled', 'failed', 'held'));
create index scheduled_messages_held on scheduled_messages (org_id, id) where state = 'held';
