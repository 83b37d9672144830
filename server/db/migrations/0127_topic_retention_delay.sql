-- Nothing of a topic is deleted by its age before this time: owners chose a shorter time for its messages the day before, and can still undo it.
alter table topics add column keep_messages_from bigint;
