-- The time for which a budget counts from its start: a minute for most. Rows that the version before writes are kept for a day.
alter table budgets add column period_ms bigint not null default 86400000;
