-- Whether a repeated externalId of a bot's message or task gets the first answer again, as an Idempotency-Key does.
alter table bots add column external_id_is_key boolean not null default false;
