-- Whether members open the organization by single sign-on alone; owners may also come with a second factor.
alter table organizations add column require_sign_on boolean not null default false;
