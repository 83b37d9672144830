-- Every writer locks a row of this table first: nobody who waits here holds what is altered below.
lock table organization_logs in exclusive mode;

-- Moves with each change that can take a right from a bot, a person or an assistant. A writer compares it, under the lock that it has anyway,
-- with the version at which its caller was let in. `membership_version` moves along: texts are written by that one alone.
alter table organization_logs add column authority_version bigint not null default 0;
