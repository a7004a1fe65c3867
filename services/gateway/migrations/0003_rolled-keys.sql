-- Up Migration

-- For the job that writes down that rolled keys have ended.
create index api_keys_ending on api_keys (revoke_at) where revoked_at is null and revoke_at is not null;

-- Down Migration

drop index api_keys_ending;
