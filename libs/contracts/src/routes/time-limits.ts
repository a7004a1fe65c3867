/**
 * For routes that may, one after the other, call the bank (8 s), wait for an earlier attempt (2 s), wait for a row lock (2 s) and
 * query the database (5 s).
 */
export const MONEY_MS = 20_000;
/** For routes that only read: a query may take 5 s, a question to another service 3 s, a connection 1 s. */
export const READ_MS = 10_000;
/** For a reader of events who waits up to 30 s. */
export const FEED_MS = 35_000;
/** For a stream that stands still: its caller does not read, or the database does not answer. */
export const STREAM_MS = 60_000;
/** For a terminal that waits up to 25 s for its next intent. */
export const POLL_MS = 30_000;
