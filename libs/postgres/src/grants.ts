import pg from 'pg';
import type { Schema } from './migrate.ts';

/** SQL by which a migrated schema's owner lets a role read and write its rows and do nothing else. May be repeated. */
export function rowGrants({ name, migrations }: Schema, role: string): string {
  const [on, to] = [pg.escapeIdentifier(name), pg.escapeIdentifier(role)];
  const kept = migrations
    .flatMap(({ insertOnly = [] }) => insertOnly)
    .map((table) => `${on}.${pg.escapeIdentifier(table)}`);
  return [
    `grant usage on schema ${on} to ${to}`,
    `grant select, insert, update, delete on all tables in schema ${on} to ${to}`,
    ...kept.map((table) => `revoke update, delete on ${table} from ${to}`),
    `grant usage, select on all sequences in schema ${on} to ${to}`,
  ].join(';\n');
}
