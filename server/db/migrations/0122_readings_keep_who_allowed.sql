-- The owner who had allowed the reader when they asked, since the right can change hands while a reading waits; null: an owner asked.
alter table content_readings add column allowed_by text collate "C";
update content_readings r set allowed_by = p.reading_allowed_by
from profiles p where p.org_id = r.org_id and p.id = r.asked_by and p.reading_allowed_by is not null;
