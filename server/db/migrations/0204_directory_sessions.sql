-- Sessions that began with the password of a directory (LDAP), alone or followed by a code.
alter table sessions drop constraint sessions_signed_in_with_check;
alter table sessions add constraint sessions_signed_in_with_check
  check (signed_in_with in ('password', 'code', 'passkey', 'sign-on', 'directory', 'directory-code'));
