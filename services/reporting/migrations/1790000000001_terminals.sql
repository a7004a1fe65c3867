-- Up Migration

alter table payment add column terminal_id uuid, add column salesperson_id uuid, add column branch_id uuid;

create table terminal (id uuid primary key, serial_number text not null, sequence bigint not null);
create table salesperson (id uuid primary key, name text not null, username text not null, sequence bigint not null);
create table branch (id uuid primary key, name text not null, sequence bigint not null);

-- Down Migration

drop table branch;
drop table salesperson;
drop table terminal;
alter table payment drop column terminal_id, drop column salesperson_id, drop column branch_id;
