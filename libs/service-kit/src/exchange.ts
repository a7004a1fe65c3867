import type { Dispatcher } from 'undici';

export interface Exchanged {
  statusCode: number;
  text: string;
}

/**
 * Sends a request and gives its whole answer. Rejects with a TimeoutError if that takes longer than `withinMs`, and with undici's
 * error otherwise. Uses undici's own callbacks, because `request` makes a stream for each body.
 */
export function exchange(
  pool: Dispatcher,
  request: Dispatcher.DispatchOptions,
  { withinMs, mostBytes = Number.POSITIVE_INFINITY }: { withinMs: number; mostBytes?: number },
): Promise<Exchanged> {
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | undefined;
    let isOver = false;
    let statusCode = 0;
    let bytes = 0;
    const chunks: Buffer[] = [];
    const end = () => {
      isOver = true;
      clearTimeout(timer);
    };
    const fail = (error: Error) => {
      if (isOver) return;
      end();
      reject(error);
      controller?.abort(error);
    };
    const timer = setTimeout(() => fail(new DOMException('not in time', 'TimeoutError')), withinMs);
    pool.dispatch(request, {
      onRequestStart: (started) => {
        // The time ran out while the request waited for a connection, so nothing may be sent.
        if (isOver) throw new Error('given up');
        controller = started;
      },
      onResponseStart: (_controller, status) => void (statusCode = status),
      onResponseData: (_controller, chunk) => {
        bytes += chunk.length;
        if (bytes > mostBytes) fail(new Error('the answer is too long'));
        else chunks.push(chunk);
      },
      onResponseEnd: () => {
        if (isOver) return;
        end();
        resolve({ statusCode, text: new TextDecoder().decode(Buffer.concat(chunks)) });
      },
      onResponseError: (_controller, error) => fail(error),
    });
  });
}
