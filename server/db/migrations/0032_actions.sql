-- What people answered to the buttons, choices and forms of a bot's message. Rows outlive the message: they say who approved what.
create table message_actions (
  org_id uuid not null,
  id uuid not null,
  bot_id text collate "C" not null,
  topic_id uuid not null,
  message_id uuid not null,
  -- The question: a message that asks anew has another one.
  actions_id uuid not null,
  -- Empty where one answer counts, the person where one of each does, null where all do.
  slot text collate "C",
  profile_id text collate "C" not null,
  element_id text not null,
  -- What stood on it then.
  label text not null,
  value text,
  -- What was written into a form, by field.
  field_values jsonb,
  -- What the bot told the person about it, and nobody else.
  note text,
  created_at bigint not null,
  primary key (org_id, id)
);
-- One answer counts, however many are given at once.
create unique index message_actions_slot on message_actions (org_id, actions_id, slot) where slot is not null;
-- Notes of a person to the messages of a stretch of history.
create index message_actions_notes on message_actions (org_id, profile_id, message_id, id) where note is not null;
