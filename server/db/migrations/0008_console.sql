-- The first organization of the server, whose owners decide on agent sign-up. Organizations are rarely written.
create index organizations_age on organizations (created_at, org_id);

-- How many topics have a label; also finds them when the label is deleted, while the organization's writer waits. Most
-- topics have none and are not in it.
create index topics_label on topics (org_id, label_id) where label_id is not null;

-- What a bot will not receive by itself any more: what admins look for among a week of deliveries, where it may be one in
-- a million, too few to be found by going through pages. Nothing that is delivered is ever in it, so it costs the way of a
-- webhook nothing, and to build it is one look through the table.
create index deliveries_exhausted on deliveries (org_id, bot_id, seq) where state = 'exhausted';
