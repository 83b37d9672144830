-- The first organization of the server, whose owners decide on agent sign-up. Organizations are rarely written.
create index organizations_age on organizations (created_at, org_id);

-- How many topics have a label; also finds them when the label is deleted. Most topics have none and are not in it.
create index topics_label on topics (org_id, label_id) where label_id is not null;

-- What a bot will not receive by itself any more: what admins look for among a week of deliveries. Nothing that is
-- delivered is ever in it, so it costs the way of a webhook nothing.
create index deliveries_exhausted on deliveries (org_id, bot_id, seq) where state = 'exhausted';
