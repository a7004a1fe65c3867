import { type Database, type DatabaseOptions, openDatabase } from './database.ts';

/**
 * A database for whoever has more time than a request: an operator's command, or a test that looks on. However busy the servers
 * are, a connection is waited for 30 s, and a statement a minute.
 */
export const openPatiently = (options: DatabaseOptions): Database =>
  openDatabase({ connectWithinMs: 30_000, statementTimeoutMs: 60_000, ...options });
