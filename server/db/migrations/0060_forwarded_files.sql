-- Forwarding a message refers to its files once more instead of copying them. This counts the messages that refer to a file
-- besides the first one; who lets go of a file with such messages takes one off, and the last one leaves it to the sweep.
alter table stored_files add column shares integer not null default 0 check (shares >= 0);
