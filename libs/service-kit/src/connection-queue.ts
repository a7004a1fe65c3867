import { AsyncLocalStorage } from 'node:async_hooks';
import type { Dispatcher } from 'undici';

/** No connection came free in time, so not a byte of the request was sent. */
export class NoConnection extends Error {}

/** How long a request waits for a connection at most. */
export const CONNECTION_WITHIN_MS = 1_000;

/** What a request may say to a pool with a bounded queue. */
export interface QueuedOptions extends Dispatcher.DispatchOptions {
  /** Who asks, where no caller may take all connections. */
  caller?: string;
}

/**
 * For `pool.compose` of a pool with so many connections, of which one caller has `perCaller` at most. A request waits here while
 * there is none for it, and fails with NoConnection when none comes free within a second, or `withinMs`. In the pool's own queue it
 * would wait for ever. Callers that wait take turns.
 */
export function boundedQueue(
  connections: number,
  perCaller = connections,
  withinMs = CONNECTION_WITHIN_MS,
): Dispatcher.DispatcherComposeInterceptor {
  const taken = createTaken(connections, perCaller);
  const waiting = createWaiting();
  return (dispatch) => {
    const send = (options: QueuedOptions, handler: Dispatcher.DispatchHandler) => {
      const giveBack = taken.take(options.caller);
      const onEnd = () => {
        giveBack();
        waiting.first(taken.isFreeFor)?.();
      };
      return dispatch(options, tellingItsEnd(handler, onEnd));
    };
    return (options: QueuedOptions, handler) => {
      const { caller } = options;
      if (taken.isFreeFor(caller)) return send(options, handler);
      // Another request's end triggers the sending, but the span must belong to the request that waited.
      const inOwnContext = AsyncLocalStorage.snapshot();
      const begin = () => {
        clearTimeout(timer);
        leave();
        inOwnContext(send, options, handler);
      };
      const timer = setTimeout(() => {
        leave();
        fail(handler);
      }, withinMs);
      const leave = waiting.add(caller, begin);
      return false;
    };
  };
}

/** Counts the connections that are taken, by caller. Requests without a caller count in the sum only. */
function createTaken(connections: number, perCaller: number) {
  let all = 0;
  const counts = new Map<string, number>();
  return {
    isFreeFor: (caller: string | undefined) =>
      all < connections && (caller === undefined || (counts.get(caller) ?? 0) < perCaller),
    take: (caller: string | undefined) => {
      all++;
      if (caller !== undefined) counts.set(caller, (counts.get(caller) ?? 0) + 1);
      return () => {
        all--;
        if (caller === undefined) return;
        const left = (counts.get(caller) ?? 0) - 1;
        if (left > 0) counts.set(caller, left);
        else counts.delete(caller);
      };
    },
  };
}

/** Requests that wait, by caller. The caller whose turn it is comes first. */
function createWaiting() {
  const queues = new Map<string | undefined, Set<() => void>>();
  return {
    /** Returns what takes it out again. */
    add: (caller: string | undefined, begin: () => void) => {
      const queue = queues.get(caller) ?? new Set();
      queues.set(caller, queue.add(begin));
      return () => {
        queue.delete(begin);
        if (queue.size === 0 && queues.get(caller) === queue) queues.delete(caller);
      };
    },
    /** The oldest request of the first caller who may send one, and puts that caller last. */
    first: (may: (caller: string | undefined) => boolean): (() => void) | undefined => {
      for (const [caller, queue] of queues) {
        if (!may(caller)) continue;
        queues.delete(caller);
        queues.set(caller, queue);
        return queue.values().next().value;
      }
      return undefined;
    },
  };
}

function tellingItsEnd(handler: Dispatcher.DispatchHandler, onEnd: () => void): Dispatcher.DispatchHandler {
  return {
    onRequestStart: (controller, context) => handler.onRequestStart?.(controller, context),
    onResponseStart: (...started) => handler.onResponseStart?.(...started),
    onResponseData: (controller, chunk) => handler.onResponseData?.(controller, chunk),
    onResponseEnd: (controller, trailers) => {
      handler.onResponseEnd?.(controller, trailers);
      onEnd();
    },
    onResponseError: (controller, error) => {
      handler.onResponseError?.(controller, error);
      onEnd();
    },
  };
}

function fail(handler: Dispatcher.DispatchHandler): void {
  // Before there is a connection there is no controller. undici's pool does the same with its queue when it is destroyed.
  const controller = null as unknown as Dispatcher.DispatchController;
  handler.onResponseError?.(controller, new NoConnection('no connection came free in time'));
}
