-- Up Migration

alter table api_keys add column terminal_id uuid;
comment on column api_keys.terminal_id is 'Of terminals'' keys; intents keeps the record of the terminal.';
alter table api_keys drop constraint api_keys_kind_check, drop constraint api_keys_check;
alter table api_keys
  add constraint api_keys_kind_check check (kind in ('merchant', 'partner', 'terminal')),
  add constraint api_keys_organization check ((kind in ('merchant', 'terminal')) = (organization_id is not null)),
  add constraint api_keys_mode check ((kind = 'merchant') = (mode is not null)),
  add constraint api_keys_terminal check ((kind = 'terminal') = (terminal_id is not null));

-- Down Migration

delete from api_keys where kind = 'terminal';
alter table api_keys
  drop constraint api_keys_kind_check, drop constraint api_keys_organization, drop constraint api_keys_mode,
  drop constraint api_keys_terminal, drop column terminal_id,
  add constraint api_keys_kind_check check (kind in ('merchant', 'partner')),
  add constraint api_keys_check check ((kind = 'merchant') = (organization_id is not null and mode is not null));
