import type { IncomingMessage } from 'node:http';
import { Refusal } from '@cobro/contracts/refusals.ts';

const MOST_BYTES = 64 * 1024;

/** `undefined` where there is no body. */
type Body = Buffer | undefined | 'broken off';

/**
 * The whole body, unparsed. Bodies are small, so a service is called only once all of the body is here: a slow or broken upload
 * costs the service nothing, and the body can be sent twice. A larger body is refused with 413, at once if its Content-Length
 * says so.
 */
export function receiveBody(req: IncomingMessage): Promise<Body> {
  const length = req.headers['content-length'];
  if (length !== undefined && Number(length) > MOST_BYTES) throw new Refusal('BODY_TOO_LARGE');
  const hasBody = req.headers['transfer-encoding'] !== undefined || Number(length ?? 0) > 0;
  if (!hasBody) return Promise.resolve(undefined);
  const chunks: Buffer[] = [];
  let size = 0;
  return new Promise((resolve, reject) => {
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      chunks.push(chunk);
      if (size <= MOST_BYTES) return;
      // Node discards the rest of the body once the refusal has been sent.
      req.off('data', onData);
      reject(new Refusal('BODY_TOO_LARGE'));
    };
    req.on('data', onData);
    req.once('end', () => resolve(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)));
    req.once('close', () => resolve('broken off'));
    req.on('error', () => {});
  });
}
