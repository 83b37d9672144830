-- The functions of server/db/functions that this database has, with the checksum of the text that made each (functions.ts).
create table functions (
  name text primary key,
  checksum text not null
);
