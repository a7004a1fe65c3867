import { type Database, type DatabaseOptions, openDatabase } from '@cobro/postgres/database.ts';

/**
 * A database as a test looks at it: however busy the machine is, a connection and a statement are waited for. A test of what a
 * service does when they take too long opens its own as the service does.
 */
export const openPatiently = (options: DatabaseOptions): Database =>
  openDatabase({ connectWithinMs: 30_000, statementTimeoutMs: 30_000, ...options });
