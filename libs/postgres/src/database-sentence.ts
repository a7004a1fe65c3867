import { types } from 'node:util';
import { DatabaseUnavailable, sqlStateOf } from './unavailable.ts';

/** Describes a database error to an operator. Returns undefined if the error does not come from the database. */
export function databaseSentence(error: unknown): string | undefined {
  if (error instanceof DatabaseUnavailable) return `The database is not available: ${String(error.cause)}.`;
  const isOfPostgres = types.isNativeError(error) && sqlStateOf(error) !== undefined;
  return isOfPostgres ? `The database cannot do that: ${error.message}.` : undefined;
}
