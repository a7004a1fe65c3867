-- Up Migration

-- An acquirer's settlement report of a day, summed for each organization and kind of movement. Centavos.
create table bank_settlement (
  organization_id uuid not null,
  day date not null,
  acquirer text not null,
  kind text not null,
  movements integer not null,
  gross bigint not null,
  fee bigint,
  net bigint,
  primary key (organization_id, day, acquirer, kind)
);
comment on column bank_settlement.fee is 'Null where the acquirer did not say it of each movement.';
create index bank_settlement_of_day on bank_settlement (day, acquirer);

-- Down Migration

drop table bank_settlement;
