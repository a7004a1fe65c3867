-- Up Migration

alter table branch
  add column external_id text,
  -- SHA-256 of the request as it was sent; null if an operator's command made it.
  add column request_digest bytea,
  -- Null if it was never changed.
  add column updated_at timestamptz(3);
create unique index branch_external_id on branch (organization_id, external_id) where external_id is not null;
create index branch_list on branch (organization_id, created_at desc, id desc);

alter table salesperson
  add column status text not null default 'ACTIVE' check (status in ('ACTIVE', 'INACTIVE')),
  add column branch_id uuid references branch (id),
  add column request_digest bytea,
  add column updated_at timestamptz(3),
  -- Real time: a walk by cursor shows nobody added after it began. Null in rows older than the column, which precede every walk.
  add column listed_at timestamptz;
alter table salesperson alter column listed_at set default clock_timestamp();
create index salesperson_list on salesperson (organization_id, created_at desc, id desc);
create index salesperson_by_status on salesperson (organization_id, status, created_at desc, id desc);

-- Down Migration

drop index salesperson_by_status, salesperson_list, branch_list, branch_external_id;
alter table salesperson drop column listed_at, drop column updated_at, drop column request_digest, drop column branch_id, drop column status;
alter table branch drop column updated_at, drop column request_digest, drop column external_id;
