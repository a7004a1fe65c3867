import { join } from 'node:path';
import type { MigrationSource } from '@cobro/postgres/migrate.ts';

/** The journal's tables, for the schema of each service that calls the bank. */
export const bankMigrations: MigrationSource = {
  dir: join(import.meta.dirname, '../migrations'),
  table: 'pgmigrations_bank',
  insertOnly: ['bank_resolution', 'bank_resolution_applied'],
};
