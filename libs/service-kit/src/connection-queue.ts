import { AsyncLocalStorage } from 'node:async_hooks';
import type { Dispatcher } from 'undici';

/** No connection came free in time, so not a byte of the request was sent. */
export class NoConnection extends Error {}

/** How long a request waits for a connection at most. */
export const CONNECTION_WITHIN_MS = 1_000;

/**
 * For `pool.compose` of a pool with so many connections. A request waits here while all connections are taken, and fails with
 * NoConnection when none comes free within a second. In the pool's own queue it would wait for ever.
 */
export function boundedQueue(connections: number): Dispatcher.DispatcherComposeInterceptor {
  let running = 0;
  const waiting = new Set<() => void>();
  const onEnd = () => {
    running--;
    const [next] = waiting;
    next?.();
  };
  return (dispatch) => {
    const send = (options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler) => {
      running++;
      return dispatch(options, tellingItsEnd(handler, onEnd));
    };
    return (options, handler) => {
      if (running < connections) return send(options, handler);
      // Another request's end triggers the sending, but the span must belong to the request that waited.
      const inOwnContext = AsyncLocalStorage.snapshot();
      const leave = () => {
        clearTimeout(timer);
        waiting.delete(begin);
      };
      const begin = () => {
        leave();
        inOwnContext(send, options, handler);
      };
      const timer = setTimeout(() => {
        leave();
        fail(handler);
      }, CONNECTION_WITHIN_MS);
      waiting.add(begin);
      return false;
    };
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
