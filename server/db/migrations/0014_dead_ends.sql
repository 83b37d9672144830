-- A bot that is deleted leaves its profile, whose name stands in history, and nothing else. Nodes remember which bots of a
-- topic receive events: that has to be read anew.
create trigger bots_deleted after delete on bots
  referencing old table as changed for each statement execute function move_shape_of_changed();

-- A test of a webhook has a state of its own until it was tried: it goes out once, also while the webhook is paused, and
-- whatever looks for what is pending does not find it. Not validated: no row can hold the new state yet, and looking
-- through all of them would keep writers waiting.
alter table deliveries
  drop constraint deliveries_state_check,
  add constraint deliveries_state_check check (state in ('pending', 'delivered', 'exhausted', 'testing')) not valid;
-- What a dispatcher looks for every second; it holds a row for the seconds that a test takes.
create index deliveries_testing on deliveries (due_at) where state = 'testing';
-- Attempts that no figure counts.
alter table delivery_attempts add column is_test boolean not null default false;

-- An invitation whose link was shown to an admin proves nothing about who reads the address. An account that begins with
-- one loses its ways to sign in when somebody else proves the address.
alter table invitations add column by_hand boolean not null default false;
alter table accounts add column email_proven boolean not null default true;
