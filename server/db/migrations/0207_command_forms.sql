-- The form that a command opens; null where it has none.
alter table bot_commands add column fields jsonb;
