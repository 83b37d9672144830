-- Every writer locks a row of this table first: nobody who waits here holds what is altered below.
lock table organization_logs in exclusive mode;

-- `imported`: it came with its organization from another server, without the secret, and waits until it has a new one.
alter table bots drop constraint bots_webhook_pause_reason_check,
  add constraint bots_webhook_pause_reason_check check (webhook_pause_reason in ('gone', 'failing', 'imported'));
alter table webhook_addresses drop constraint webhook_addresses_webhook_pause_reason_check,
  add constraint webhook_addresses_webhook_pause_reason_check check (webhook_pause_reason in ('gone', 'failing', 'imported'));
