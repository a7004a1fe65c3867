import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listening } from './listening.ts';

export type GarblingBank = Awaited<ReturnType<typeof openGarblingBank>>;

/** A proxy before a bank that changes the bank's answers, except those to inquiries. */
export async function openGarblingBank() {
  let bankUrl = '';
  let change: ((answer: Record<string, unknown>) => object) | undefined;
  let isDoubled = false;
  const passOn = async (req: IncomingMessage, res: ServerResponse) => {
    let body = '';
    for await (const chunk of req.setEncoding('utf8')) body += String(chunk);
    const path = req.url ?? '';
    const key = req.headers['idempotency-key'];
    const headers = { 'content-type': 'application/json', ...(typeof key === 'string' && { 'idempotency-key': key }) };
    const { method = 'POST' } = req;
    // When the caller gives up, the call to the bank ends too.
    const gone = new AbortController();
    res.once('close', () => gone.abort());
    const ask = async () => {
      const request = { method, headers, signal: gone.signal, ...(method !== 'GET' && { body }) };
      const answer = await fetch(bankUrl + path, request);
      return { status: answer.status, text: await answer.text() };
    };
    const [first, second] = await Promise.all([ask(), isDoubled && key !== undefined ? ask() : undefined]);
    const { status, text } = second ?? first;
    const changed =
      change === undefined || path === '/v1/inquiries'
        ? text
        : JSON.stringify(change(JSON.parse(text) as Record<string, unknown>));
    res.writeHead(status, { 'content-type': 'application/json' }).end(changed);
  };
  const server = createServer((req, res) => void passOn(req, res).catch(() => res.destroy()));
  return {
    ...(await listening(server)),
    /** The address of the bank behind it. */
    standBefore: (url: string): void => void (bankUrl = url),
    /** How the bank's answers are changed from now on. Undefined leaves them as they are. */
    garble: (next: typeof change): void => void (change = next),
    /** Whether each operation is sent twice at once from now on, as a network may do; the second answer counts. */
    double: (next: boolean): void => void (isDoubled = next),
  };
}
