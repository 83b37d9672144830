-- The newest offset that a polling bot has come back with: everything up to here has reached it.
alter table bots add column polled_seq bigint not null default 0;
