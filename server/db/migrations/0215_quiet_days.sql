-- Days of the week on which a person gets no notifications: 1 is Monday, 7 is Sunday.
alter table notification_settings add column quiet_days smallint[] not null default '{}';
alter table notification_settings add constraint notification_settings_quiet_days_check
  check (quiet_days <@ '{1,2,3,4,5,6,7}' and cardinality(quiet_days) <= 7);
