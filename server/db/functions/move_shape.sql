/*
 * Moves `membership_version` of the organization whose row has changed. Nodes check texts against memberships in memory, and that version
 * says whether they still hold: it moves with all that decides on who may write, what they are called and who gets their messages.
 */
create or replace function move_shape() returns trigger language plpgsql as $$
begin
  update organization_logs set membership_version = membership_version + 1 where org_id = new.org_id;
  return null;
end $$;

create or replace trigger profiles_renamed after update on profiles for each row
  when (old.name is distinct from new.name) execute function move_shape();
create or replace trigger profiles_role after update on profiles for each row
  when (old.role is distinct from new.role) execute function move_shape();
create or replace trigger profiles_status after update of status on profiles for each row
  when (old.status is distinct from new.status) execute function move_shape();
create or replace trigger topics_announcement after update on topics for each row
  when (old.announcement is distinct from new.announcement) execute function move_shape();
create or replace trigger topics_archived after update of archived_at on topics for each row
  when (old.archived_at is distinct from new.archived_at) execute function move_shape();
create or replace trigger topics_bots_stopped after update of bots_stopped_at on topics for each row
  when (old.bots_stopped_at is distinct from new.bots_stopped_at) execute function move_shape();
create or replace trigger topic_members_reach after update of reach on topic_members for each row
  when (old.reach is distinct from new.reach) execute function move_shape();
create or replace trigger bots_delivery after update on bots for each row
  when (old.delivery is distinct from new.delivery) execute function move_shape();
create or replace trigger bots_webhook_events after update on bots for each row
  when (old.webhook_events is distinct from new.webhook_events) execute function move_shape();
create or replace trigger webhook_addresses_events after update on webhook_addresses for each row
  when (old.webhook_events is distinct from new.webhook_events) execute function move_shape();
create or replace trigger organizations_blocked_words after update of blocked_words, replies_in_topics, message_check on organizations
  for each row when (old.blocked_words is distinct from new.blocked_words or old.replies_in_topics <> new.replies_in_topics
    or old.message_check is distinct from new.message_check) execute function move_shape();
