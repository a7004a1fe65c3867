-- Up Migration

-- Where the broker takes the event. A process of the release before writes none: then it is the type.
alter table outbox add column routing_key text;

-- Down Migration

alter table outbox drop column routing_key;
