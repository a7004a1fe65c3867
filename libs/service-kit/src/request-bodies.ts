import type { IncomingMessage, ServerResponse } from 'node:http';
import { Refusal } from '@cobro/contracts/refusals.ts';
import { oldestOfGreatest } from './oldest-of-greatest.ts';

const LONGEST = 64 * 1024;
const FIRST_PIECE = 1_024;
/** 256 of the longest. */
const MOST_BYTES = 256 * LONGEST;
const WITHIN_MS = 10_000;
/** How often bodies are looked at within that time. Often, because giving up many at once holds others up. */
const LOOKS = 100;
/** Bodies that began together are given up over this many looks, for the same reason. */
const SPREAD = 20;

/** The whole body, unparsed; `undefined` if the request has none; or why the request is refused. */
export type Received = Buffer | undefined | Refusal;

/** Receives bodies within a bound on the memory that they take together. */
export interface RequestBodies {
  /**
   * Receives the body of the request that `res` answers. Begins at once, so that no chunk waits in memory unread. Never rejects. Gives
   * 413 if the body is longer than 64 KiB, 408 if it takes longer than eight to ten seconds, and 503 if all bodies take too much memory
   * and `caller` has the most of it.
   */
  receive(res: ServerResponse, caller: string): Promise<Received | 'caller left'>;
}

interface Body {
  caller: string;
  /** Grows as chunks come. A chunk is copied and not kept, because a chunk of one byte takes hundreds of bytes of memory. */
  buffer: Buffer;
  size: number;
  /** How often it was found unfinished. */
  looks: number;
  end: (received: Received | 'caller left') => void;
}

const EMPTY = Buffer.alloc(0);

export function createRequestBodies({ mostBytes = MOST_BYTES, withinMs = WITHIN_MS } = {}): RequestBodies {
  /** The oldest first. */
  const underWay = new Set<Body>();
  let bytes = 0;
  const areTooMany = () => bytes > mostBytes;
  // Looks are counted and not milliseconds, because a process that was held up has not yet read what was sent in time.
  const look = () => {
    for (const body of underWay) if (++body.looks > LOOKS) body.end(new Refusal('REQUEST_TIMEOUT'));
  };
  setInterval(look, withinMs / LOOKS).unref();
  const append = (body: Body, chunk: Buffer) => {
    const size = body.size + chunk.length;
    if (size > LONGEST) return body.end(new Refusal('BODY_TOO_LARGE'));
    if (size > body.buffer.length) {
      bytes += grow(body, size);
      while (areTooMany()) {
        oldestOfGreatest(underWay, ({ caller, buffer }) => [caller, buffer.length]).end(tooMuch());
      }
    }
    if (!underWay.has(body)) return;
    chunk.copy(body.buffer, body.size);
    body.size = size;
  };
  const receive = (res: ServerResponse, caller: string) =>
    new Promise<Received | 'caller left'>((resolve) => {
      const { req } = res;
      const body: Body = {
        caller,
        buffer: EMPTY,
        size: 0,
        looks: Math.floor(Math.random() * SPREAD),
        end: (received) => {
          if (!underWay.delete(body)) return;
          bytes -= body.buffer.length;
          body.buffer = EMPTY;
          // A caller that is too slow or has too much in memory loses its connection. A body that is too long is read to its end.
          const goesOn = !(received instanceof Refusal) || received.code === 'BODY_TOO_LARGE';
          if (!goesOn) res.setHeader('Connection', 'close');
          resolve(received);
        },
      };
      underWay.add(body);
      // What comes after a refusal is read and dropped.
      req.on('data', (chunk: Buffer) => underWay.has(body) && append(body, chunk));
      req.once('end', () => body.end(body.buffer.subarray(0, body.size)));
      req.on('error', () => {});
      res.once('close', () => body.end('caller left'));
      if (Number(req.headers['content-length'] ?? 0) > LONGEST) body.end(new Refusal('BODY_TOO_LARGE'));
    });
  return {
    receive: (res, caller) => (hasBody(res.req) ? receive(res, caller) : Promise.resolve(undefined)),
  };
}

const hasBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Makes room for `size` bytes. Returns how many more bytes the body takes now. */
function grow(body: Body, size: number): number {
  const { buffer } = body;
  // Not from Node's pool, because one slow body would keep a whole page of it.
  body.buffer = Buffer.allocUnsafeSlow(Math.min(LONGEST, Math.max(FIRST_PIECE, size, 2 * buffer.length)));
  buffer.copy(body.buffer);
  return body.buffer.length - buffer.length;
}

const tooMuch = () =>
  new Refusal('SERVICE_UNAVAILABLE', { message: 'Too many requests are being received at once; try again.' });
