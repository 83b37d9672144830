-- The newest answers to a bot's buttons, which its page counts.
create index message_actions_bot on message_actions (org_id, bot_id, id) include (element_id);
