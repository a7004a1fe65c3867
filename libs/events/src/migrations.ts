import { join } from 'node:path';

/** The outbox and inbox tables, for the list of migrations of every schema that sends or receives events. */
export const eventsMigrations = { dir: join(import.meta.dirname, '../migrations'), table: 'pgmigrations_events' };
