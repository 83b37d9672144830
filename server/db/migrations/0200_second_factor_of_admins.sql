alter table organizations add column admins_need_second_factor boolean not null default false;
