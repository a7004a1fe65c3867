import { types } from 'node:util';

/** The database could not be asked, or broke off: whether a statement in work took effect is not known. Its cause is the driver's error. */
export class DatabaseUnavailable extends Error {
  constructor(cause: unknown) {
    super('the database is not available', { cause });
    this.name = 'DatabaseUnavailable';
  }
}

const NETWORK = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', 'EHOSTUNREACH']);
/** Connection exceptions, shutdowns, start-up, too many connections. */
const SQLSTATE = /^(08...|57P0[123]|53300)$/;
/** The driver's own sentences, which carry no code. */
const SENTENCES =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection)/;

/** The error as it is to be thrown: a statement's own stays as it is. */
export function asUnavailable(error: unknown): unknown {
  if (!types.isNativeError(error)) return error;
  const { code } = error as { code?: unknown };
  const ofConnection =
    typeof code === 'string' ? NETWORK.has(code) || SQLSTATE.test(code) : SENTENCES.test(error.message);
  return ofConnection ? new DatabaseUnavailable(error) : error;
}
