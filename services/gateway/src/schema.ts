import { join } from 'node:path';
import { eventsMigrations } from '@cobro/events/migrations.ts';
import type { Schema } from '@cobro/postgres/migrate.ts';

export const schema: Schema = {
  name: 'gateway',
  migrations: [eventsMigrations, { dir: join(import.meta.dirname, '../migrations'), table: 'pgmigrations' }],
};
