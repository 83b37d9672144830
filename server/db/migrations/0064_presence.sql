-- Every writer locks a row of this table first: nobody who waits here holds what is altered below.
lock table organization_logs in exclusive mode;

-- What somebody says of what they are at: with an emoji, and until when it counts. Past that it is not shown; nobody clears it.
alter table profiles
  add column status_emoji text not null default '' check (char_length(status_emoji) <= 32),
  add column status_until bigint,
  -- Until when they are not to be disturbed: nothing rings, and no mail is sent.
  add column dnd_until bigint,
  -- Shown as away, whatever they do.
  add column appears_away boolean not null default false;

-- Whether people see who is there, who writes and what they are at.
alter table organizations add column show_presence boolean not null default true;
-- Open streams are looked at again, on every node: they begin anew with what is shown now.
create trigger organizations_presence after update of show_presence on organizations for each row
  when (old.show_presence is distinct from new.show_presence) execute function tell_changed_organization();
