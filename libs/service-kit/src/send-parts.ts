import type { ServerResponse } from 'node:http';

/**
 * Sends an answer part by part, and asks for the next part once the caller has room for it. If the caller leaves, no more is made.
 * @throws the error of making a part; the answer must then be broken off, because its caller would take it for complete
 */
export async function sendParts(res: ServerResponse, parts: AsyncIterable<string | Uint8Array>): Promise<void> {
  for await (const part of parts) {
    if (res.destroyed) return;
    if (!res.write(part)) await roomIn(res);
  }
  if (!res.destroyed) res.end();
}

/** Resolves once more can be written, or the caller has left. */
const roomIn = (res: ServerResponse) =>
  new Promise<void>((resolve) => {
    const done = () => {
      res.off('drain', done).off('close', done);
      resolve();
    };
    res.on('drain', done).on('close', done);
    if (res.destroyed) done();
  });
