import { types } from 'node:util';

/** What failed: making a connection, getting a free one, or running a statement to its end. */
export type UnavailableKind = 'connect' | 'pool' | 'query';

/**
 * The database is away or sick: it could not be reached, did not reply in time, broke off, or is in no state to do this now. The
 * same may work later. If it broke off, nobody knows whether a running statement took effect.
 * `cause` is the driver's error; `code` is that error's code, if it had one.
 */
export class DatabaseUnavailable extends Error {
  readonly kind: UnavailableKind;
  readonly code: string | undefined;
  constructor(kind: UnavailableKind, cause: unknown, code?: string) {
    super('the database is not available', { cause });
    this.name = 'DatabaseUnavailable';
    this.kind = kind;
    this.code = code;
  }
}

const NETWORK = /^(ECONNREFUSED|ECONNRESET|ECONNABORTED|EPIPE|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/;
/**
 * Codes about the state of the server, not about the statement. Whole classes: 08 connection, 28 and 3D refused connection, 40
 * deadlocks and serialization, 53 out of disk, memory or connections, 55 and 57 waits that took too long, shutdown and start-up,
 * 58 the system under the server. Of class 25: a read-only transaction, and transactions that were idle or open for too long.
 */
const SQLSTATE = /^((08|28|3D|40|53|55|57|58)...|25006|25P0[34])$/;
/** The driver's own errors have no code, so they are recognized by their messages. */
const SENTENCES =
  /^(Connection terminated|timeout expired|timeout exceeded when trying to connect|Query read timeout|Client (has encountered a connection|was closed))/;

/** Codes of a failed attempt to connect. 53300: no connection is left; 57P03: the server is starting. */
const CONNECTING = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|(28|3D)...|53300|57P03)$/;
const CONNECTING_SENTENCES = /^(timeout expired|Connection terminated due to connection timeout|timeout exceeded when)/;

function kindOf(error: Error, code: string | undefined): UnavailableKind {
  const { syscall } = error as { syscall?: string };
  const isConnecting = code === undefined ? CONNECTING_SENTENCES.test(error.message) : CONNECTING.test(code);
  // A network error has the same code whether the connection was being made or in use, so its system call decides.
  return (syscall === undefined ? isConnecting : /^(connect|getaddrinfo)$/.test(syscall)) ? 'connect' : 'query';
}

/** Turns an outage's error into DatabaseUnavailable. Any other error, such as a violated constraint, stays as it is. */
function asUnavailable(error: unknown): unknown {
  if (!types.isNativeError(error) || error instanceof DatabaseUnavailable) return error;
  const { code: given } = error as { code?: unknown };
  const code = typeof given === 'string' ? given : undefined;
  const isOutage = code === undefined ? SENTENCES.test(error.message) : NETWORK.test(code) || SQLSTATE.test(code);
  return isOutage ? new DatabaseUnavailable(kindOf(error, code), error, code) : error;
}

/** Whether no connection could be made, so that nothing was sent. */
export function isOfConnecting(error: unknown): boolean {
  const unavailable = asUnavailable(error);
  return unavailable instanceof DatabaseUnavailable && unavailable.kind === 'connect';
}

/** Whether an error comes from Postgres, and not from code that refused something in a transaction. */
export const isOfPostgres = (error: unknown): boolean =>
  asUnavailable(error) instanceof DatabaseUnavailable || sqlStateOf(error) !== undefined;

export function sqlStateOf(error: unknown): string | undefined {
  const { code } = error as { code?: unknown };
  // A refusal has a code as well, which is a word.
  return typeof code === 'string' && /^(?=.*\d)[\dA-Z]{5}$/.test(code) ? code : undefined;
}

/** For a `catch`: throws the error as `asUnavailable` gives it. */
export const rethrow = (error: unknown): never => {
  throw asUnavailable(error);
};

/** For a `catch`: returns `instead` if the database is not available, and throws any other error. */
export const whereUnavailable =
  <T>(instead: T) =>
  (error: unknown): T => {
    if (error instanceof DatabaseUnavailable) return instead;
    throw error;
  };

/** Whether a commit that ended with this error may have taken effect, because the server did not report its failure. */
export const mayHaveCommitted = (error: unknown): boolean =>
  error instanceof DatabaseUnavailable && !/^(?!08|57)\d/.test(error.code ?? '');
