import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { traceHeaders } from '@cobro/metrics/trace-headers.ts';
import { CONNECTION_WITHIN_MS, NoConnection, type QueuedOptions } from '@cobro/service-kit/connection-queue.ts';
import { REMAINING_HEADER } from '@cobro/service-kit/deadline.ts';
import { patienceAfter, waitAfter } from '@cobro/service-kit/patience.ts';
import type { Dispatcher } from 'undici';
import type { Backlog } from './backlog.ts';
import { responseHeaders } from './forwarded-headers.ts';

export interface ForwardedRequest {
  /** Whose share of connections and backlog the request takes: an organization, a partner, or the address of a payer. */
  caller: string;
  method: string;
  /** Path and query as the service knows them. */
  path: string;
  headers: string[];
  body: Buffer | undefined;
}

/** Why no answer of the service reached `res`. */
export type Failure =
  /** Nothing was sent, because no connection could be made. */
  | { kind: 'unreachable'; error: Error }
  /** Nothing was sent, because all connections stayed taken. */
  | { kind: 'no connection'; error: Error }
  /** The connection broke before the answer's headers came. */
  | { kind: 'broken'; error: Error }
  /** The service refused our token. */
  | { kind: 'token refused' }
  | { kind: 'late' }
  /** The caller has gone. */
  | { kind: 'left' };

interface Exchange {
  res: ServerResponse;
  reads: boolean;
  /** Keeps the part of the answer that the caller has not read yet. If undefined, the service pauses until the caller has read. */
  keep: (() => void) | undefined;
  /** True once the service has sent its whole answer. The caller may still be reading it. */
  received: boolean;
  controller: Dispatcher.DispatchController | undefined;
  /** Ends the exchange; a failure says why no answer came. Later calls are ignored. */
  end: (failure: Failure | undefined) => void;
  ended: boolean;
}

/**
 * Sends the request to a service and streams the answer into `res`. Returns undefined if the caller has the whole answer or the answer
 * broke off (`res` is then destroyed); a failure if `res` is still untouched. A read is given up when its caller leaves; any other
 * request goes on, because it may have moved money. Retries for two seconds if a connection was refused, for eight if it was not made in
 * time, but for half of `timeoutMs` at most; retries a read once if its connection broke.
 * A stream is read from the service no faster than its caller reads it, and may stand still for `timeoutMs`.
 */
export async function forwardRequest(
  pool: Dispatcher,
  request: ForwardedRequest,
  res: ServerResponse,
  { timeoutMs, backlog, isStream }: { timeoutMs: number; backlog: Backlog; isStream: boolean },
): Promise<Failure | undefined> {
  const begun = performance.now();
  const until = begun + timeoutMs;
  const keep = isStream ? undefined : () => backlog.add(res, request.caller);
  let mayBreak = isRead(request.method);
  for (let tries = 0; ; tries++) {
    const failure = await exchange(pool, request, { res, keep }, Math.max(1, until - performance.now()));
    const mayWait =
      failure?.kind === 'unreachable' &&
      performance.now() < begun + Math.min(timeoutMs / 2, patienceAfter(failure.error));
    if (!mayWait && !(failure?.kind === 'broken' && mayBreak)) return failure;
    if (failure?.kind === 'broken') mayBreak = false;
    await sleep(waitAfter(tries));
  }
}

const isRead = (method: string) => method === 'GET' || method === 'HEAD';

function exchange(
  pool: Dispatcher,
  request: ForwardedRequest,
  { res, keep }: Pick<Exchange, 'res' | 'keep'>,
  timeoutMs: number,
): Promise<Failure | undefined> {
  return new Promise((resolve) => {
    const onClose = () => callerGone(state);
    const timer = setTimeout(() => cut(state, { kind: 'late' }), timeoutMs);
    const state: Exchange = {
      res,
      keep,
      reads: isRead(request.method),
      received: false,
      controller: undefined,
      ended: false,
      end: (failure) => {
        if (state.ended) return;
        state.ended = true;
        clearTimeout(timer);
        res.off('close', onClose);
        resolve(failure !== undefined && res.destroyed ? { kind: 'left' } : failure);
      },
    };
    if (res.destroyed) return state.end({ kind: 'left' });
    res.once('close', onClose);
    // The service counts its time from when the request arrives, and the request may wait here for a connection first.
    const remainingMs = Math.max(0, Math.floor(timeoutMs) - CONNECTION_WITHIN_MS);
    const trace = Object.entries(traceHeaders()).flat();
    const headers = [...request.headers, REMAINING_HEADER, String(remainingMs), ...trace];
    const { caller, method, path, body = null } = request;
    const options: QueuedOptions = { caller, method, path, headers, body };
    pool.dispatch(options, answerHandler(state, timer));
  });
}

/** Uses undici's own callbacks without its body streams, because that costs half as much as `request`. */
function answerHandler(state: Exchange, timer: NodeJS.Timeout): Dispatcher.DispatchHandler {
  const { res } = state;
  let begun = false;
  return {
    onRequestStart: (controller) => {
      // The time ran out while the request waited for a connection, so nothing may be sent. An abort would cost the connection.
      if (state.ended) throw new Error('given up');
      begun = true;
      state.controller = controller;
    },
    onResponseStart: (_controller, status, headers) => {
      if (status < 200 || state.ended) return;
      if (status === 401) return cut(state, { kind: 'token refused' });
      // The service's body, and the caller's reading of it, get as much time again as the headers had.
      timer.refresh();
      if (res.destroyed) return cut(state, { kind: 'left' });
      res.writeHead(status, responseHeaders(headers));
    },
    onResponseData: (controller, chunk) => {
      if (state.ended || res.destroyed) return;
      if (state.keep === undefined) timer.refresh();
      if (res.write(chunk)) return;
      if (state.keep !== undefined) return state.keep();
      controller.pause();
      res.once('drain', () => {
        if (state.ended) return;
        timer.refresh();
        controller.resume();
      });
    },
    onResponseEnd: () => {
      state.received = true;
      res.end();
    },
    onResponseError: (_controller, error) => {
      if (state.ended) return;
      if (res.headersSent) {
        res.destroy();
        state.end(undefined);
      } else if (error instanceof NoConnection) state.end({ kind: 'no connection', error });
      else state.end({ kind: begun ? 'broken' : 'unreachable', error });
    },
  };
}

function callerGone(state: Exchange): void {
  // `res` also closes once the caller has read the whole answer.
  if (state.received) state.end(undefined);
  else if (state.reads || state.res.headersSent) cut(state, { kind: 'left' });
}

/** Ends both the request to the service and the answer to the caller, as far as they have begun. */
function cut(state: Exchange, failure: Failure): void {
  if (state.ended) return;
  state.end(state.res.headersSent ? undefined : failure);
  if (state.res.headersSent) state.res.destroy();
  if (!state.received) state.controller?.abort(new Error(failure.kind));
}
