import { join } from 'node:path';
import type { Schema } from '@cobro/postgres/migrate.ts';

/** The adapter's own schema: what it was asked, and what it answered. */
export const schema: Schema = {
  name: 'stripe',
  migrations: [{ dir: join(import.meta.dirname, '../migrations'), table: 'pgmigrations' }],
};
