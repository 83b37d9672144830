-- Sign-ins are told in the audit log as well, and are soon most of it. Each entry is in one of these two: so a page of sign-ins,
-- and a page of everything else, is a range of an index, however many of the others lie between.
create index audit_log_sign_ins on audit_log (org_id, id)
  where action in ('member.signed_in', 'member.sign_in_failed');
create index audit_log_changes on audit_log (org_id, id)
  where action not in ('member.signed_in', 'member.sign_in_failed');
