alter table organizations add column sign_in_days integer;
alter table organizations add constraint organizations_sign_in_days_check check (sign_in_days between 1 and 180);
