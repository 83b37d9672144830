alter table organizations add column sign_in_days integer check (sign_in_days between 1 and 180);
