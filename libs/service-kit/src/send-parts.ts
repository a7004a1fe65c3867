import type { ServerResponse } from 'node:http';

/**
 * Sends an answer part by part, and asks for the next part once the caller has room for it. Where its caller leaves, no more is made.
 * @throws what making a part threw; the answer has to be broken off then, because its caller would take it for whole
 */
export async function sendParts(res: ServerResponse, parts: AsyncIterable<string | Uint8Array>): Promise<void> {
  for await (const part of parts) {
    if (res.destroyed) return;
    if (!res.write(part)) await roomIn(res);
  }
  if (!res.destroyed) res.end();
}

/** Resolves once more may be written, or nobody is there any more. */
const roomIn = (res: ServerResponse) =>
  new Promise<void>((resolve) => {
    const done = () => {
      res.off('drain', done).off('close', done);
      resolve();
    };
    res.on('drain', done).on('close', done);
    if (res.destroyed) done();
  });
