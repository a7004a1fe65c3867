-- Up Migration
alter table hold add column sweep_tries integer not null default 0;
comment on column hold.sweep_tries is 'How often the bank did not let it expire. The pause before the next try grows with it.';

-- Down Migration
alter table hold drop column sweep_tries;
