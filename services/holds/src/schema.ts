import { join } from 'node:path';
import { bankMigrations } from '@cobro/bank/migrations.ts';
import { eventsMigrations } from '@cobro/events/migrations.ts';
import type { Schema } from '@cobro/postgres/migrate.ts';

export const schema: Schema = {
  name: 'holds',
  migrations: [
    eventsMigrations,
    bankMigrations,
    { dir: join(import.meta.dirname, '../migrations'), table: 'pgmigrations' },
  ],
};
