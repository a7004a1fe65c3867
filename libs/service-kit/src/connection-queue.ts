import { AsyncLocalStorage } from 'node:async_hooks';
import { createSemaphore } from '@cobro/async/semaphore.ts';
import type { Dispatcher } from 'undici';

/** No connection came free in time, so not a byte of the request was sent. */
export class NoConnection extends Error {}

/** How long a request waits for a connection at most. */
export const CONNECTION_WITHIN_MS = 1_000;

/** A request's options for a pool with a bounded queue. */
export interface QueuedOptions extends Dispatcher.DispatchOptions {
  /** Who asks, if the pool bounds each caller's connections. */
  caller?: string;
}

/**
 * For `pool.compose` of a pool with this number of connections. One caller has `perCaller` of them at most. A request waits here for a
 * free connection, and fails with NoConnection after `withinMs`. In the pool's own queue it would wait for ever. Callers that wait
 * take turns.
 */
export function boundedQueue(
  connections: number,
  perCaller = connections,
  withinMs = CONNECTION_WITHIN_MS,
): Dispatcher.DispatcherComposeInterceptor {
  const refusal = () => new NoConnection('no connection came free in time');
  const permits = createSemaphore({ permits: connections, perKey: perCaller, patience: { withinMs, refusal } });
  return (dispatch) => (options: QueuedOptions, handler) => {
    const { caller } = options;
    const send = () =>
      dispatch(
        options,
        notifyingEnd(handler, () => permits.release(caller)),
      );
    if (permits.tryAcquire(caller)) return send();
    // Another request's end triggers the sending, but the span must belong to the request that waited.
    const inOwnContext = AsyncLocalStorage.snapshot();
    permits.wait(
      caller,
      () => inOwnContext(send),
      (error) => fail(handler, error),
    );
    return false;
  };
}

function notifyingEnd(handler: Dispatcher.DispatchHandler, onEnd: () => void): Dispatcher.DispatchHandler {
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

function fail(handler: Dispatcher.DispatchHandler, error: Error): void {
  // Before there is a connection there is no controller. undici's pool does the same with its queue when it is destroyed.
  const controller = null as unknown as Dispatcher.DispatchController;
  handler.onResponseError?.(controller, error);
}
