alter table external_accounts add column name_hash bytea;
