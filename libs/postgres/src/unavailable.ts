import { types } from 'node:util';

/**
 * The database could not be asked, did not answer in time, or broke off: whether a statement in work took effect is not known.
 * Its cause is the driver's error, whose code it has, if there is one.
 */
export class DatabaseUnavailable extends Error {
  readonly code: string | undefined;
  constructor(cause: unknown, code?: string) {
    super('the database is not available', { cause });
    this.name = 'DatabaseUnavailable';
    this.code = code;
  }
}

const NETWORK = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', 'EHOSTUNREACH']);
/**
 * Connection exceptions, shutdowns, start-up, too many connections; a statement that took too long (57014), one that waited too
 * long for a lock (55P03), a transaction that was idle for too long (25P03).
 */
const SQLSTATE = /^(08...|57P0[123]|53300|57014|55P03|25P03)$/;
/** The driver's own sentences, which carry no code. */
const SENTENCES =
  /^(Connection terminated|timeout expired|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection)/;

/** The error as it is to be thrown: a statement's own stays as it is. */
export function asUnavailable(error: unknown): unknown {
  if (!types.isNativeError(error)) return error;
  const { code } = error as { code?: unknown };
  if (typeof code !== 'string') return SENTENCES.test(error.message) ? new DatabaseUnavailable(error) : error;
  return NETWORK.has(code) || SQLSTATE.test(code) ? new DatabaseUnavailable(error, code) : error;
}
