create index topic_members_by_joining on topic_members (org_id, topic_id, joined_at, profile_id);
