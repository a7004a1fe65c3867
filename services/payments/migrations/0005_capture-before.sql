-- Up Migration

-- When the network lets go of a hold's money, as the bank said with its approval. Null if it did not say.
alter table payment add column capture_before timestamptz(3);

-- Down Migration

alter table payment drop column capture_before;
