import type { RouteName } from './api.ts';
import { type Answered, type Connection, exchange } from './exchange.ts';
import { pause } from './pause.ts';
import type { Result } from './refusal.ts';
import { pauseAfter } from './repeat.ts';

export interface SettleOptions {
  /** How long to ask; a minute unless given. */
  withinMs?: number;
  signal?: AbortSignal;
}

/** An answer that may come before its outcome is known. */
export type Settling<T> = T & {
  /**
   * The answer once its outcome is known; this one if that was known at once. A capture, release, refund or link's payment that the
   * bank declined looks as before, and so does one that is still open. @throws NotSettledError
   */
  settled(options?: SettleOptions): Promise<T>;
};

/** The status has not changed in time. */
export class NotSettledError extends Error {
  override readonly name = 'NotSettledError';
}

/** A refund leaves a link or intent as it is; its payment shows what became of the refund. */
const readAsPayment: ReadonlySet<RouteName> = new Set(['refundOneTimePayment', 'refundPaymentIntent']);
const LOOK_AGAIN_MS = 1_000;
const LOOK_MS = 25_000;

/** Gives the value of the result its `settled`. */
export function settling(answered: Answered, name: RouteName, connection: Connection): Result<unknown> {
  if (answered.kind !== 'done') return answered;
  const { location, ...result } = answered;
  const value = result.value as { id?: string; status?: string } | undefined;
  if (value?.status === undefined) return result;
  const where = readAsPayment.has(name) ? `/developer/v1/payment/${value.id}` : location?.replace(/^\/api(?=\/)/, '');
  const isOpen = result.status === 202 && where !== undefined;
  const settled = async (options: SettleOptions = {}) =>
    isOpen ? readToEnd(connection, where, value, options) : value;
  // Not enumerable, because the answer may be printed or compared.
  Object.defineProperty(value, 'settled', { value: settled });
  return result;
}

/** Reads until the status differs from the first one. */
async function readToEnd(
  connection: Connection,
  path: string,
  first: { status?: string },
  { withinMs = 60_000, signal }: SettleOptions,
): Promise<unknown> {
  const end = performance.now() + withinMs;
  for (let failures = 0; ;) {
    const leftMs = Math.max(LOOK_AGAIN_MS, Math.min(LOOK_MS, end - performance.now()));
    const answered = await exchange(connection, { method: 'GET', path, body: undefined, withinMs: leftMs, signal });
    if (answered.kind === 'done' && (answered.value as typeof first).status !== first.status) return answered.value;
    failures = answered.kind === 'done' ? 0 : failures + 1;
    const pauseMs = Math.max(LOOK_AGAIN_MS, pauseAfter(answered, Math.min(failures, 5), Math.random()) ?? 0);
    if (performance.now() + pauseMs > end) throw new NotSettledError(`${path} is ${first.status} after ${withinMs} ms`);
    await pause(pauseMs, signal);
  }
}
