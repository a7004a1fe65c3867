import { join } from 'node:path';

/** The outbox and inbox tables, for every schema that sends or receives events. */
export const eventsMigrations = { dir: join(import.meta.dirname, '../migrations'), table: 'pgmigrations_events' };
