import { types } from 'node:util';
import { DatabaseUnavailable } from './unavailable.ts';

/** Describes a database error to an operator. Returns undefined if the error does not come from the database. */
export function databaseSentence(error: unknown): string | undefined {
  if (error instanceof DatabaseUnavailable) return `The database is not available: ${String(error.cause)}.`;
  // Every error of Postgres, such as a missing schema or permission, has a code of five characters.
  if (types.isNativeError(error) && /^[\dA-Z]{5}$/.test(String((error as { code?: unknown }).code))) {
    return `The database cannot do that: ${error.message}.`;
  }
  return undefined;
}
