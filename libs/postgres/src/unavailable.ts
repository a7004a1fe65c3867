import { types } from 'node:util';

/**
 * The database could not be reached, did not reply in time, or broke off. Nobody knows whether a running statement took effect.
 * `cause` is the driver's error; `code` is that error's code, if it had one.
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
 * Codes of Postgres that mean "not available": connection exceptions, shutdown, start-up, too many connections, a statement that
 * took too long (57014), a lock that was waited for too long (55P03), a transaction that was idle for too long (25P03).
 */
const SQLSTATE = /^(08...|57P0[123]|53300|57014|55P03|25P03)$/;
/** Errors that the driver makes itself have no code, so these are known by their sentences. */
const SENTENCES =
  /^(Connection terminated|timeout expired|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection)/;

/** Turns an error of the connection into DatabaseUnavailable. Any other error, such as a violated constraint, stays as it is. */
function asUnavailable(error: unknown): unknown {
  if (!types.isNativeError(error)) return error;
  const { code } = error as { code?: unknown };
  if (typeof code !== 'string') return SENTENCES.test(error.message) ? new DatabaseUnavailable(error) : error;
  return NETWORK.has(code) || SQLSTATE.test(code) ? new DatabaseUnavailable(error, code) : error;
}

/** For a `catch`: throws the error as `asUnavailable` gives it. */
export const rethrow = (error: unknown): never => {
  throw asUnavailable(error);
};
