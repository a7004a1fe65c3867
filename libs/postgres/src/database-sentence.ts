import { types } from 'node:util';
import { DatabaseUnavailable } from './unavailable.ts';

/** An error of the database as a sentence for an operator; undefined where it is none of the database's. */
export function databaseSentence(error: unknown): string | undefined {
  if (error instanceof DatabaseUnavailable) return `The database is not available: ${String(error.cause)}.`;
  // Postgres gives a code of five characters to each of its errors: no such schema, no permission.
  if (types.isNativeError(error) && /^[\dA-Z]{5}$/.test(String((error as { code?: unknown }).code))) {
    return `The database cannot do that: ${error.message}.`;
  }
  return undefined;
}
