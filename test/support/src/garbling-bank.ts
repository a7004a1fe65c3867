import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Stands before a bank and changes what the bank says of operations and of itself; inquiries are answered as they are. */
export interface GarblingBank {
  url: string;
  /** The address of the bank behind it. */
  standBefore(bankUrl: string): void;
  /** How the bank's answers are changed from now on. Undefined leaves them as they are. */
  garble(change: ((answer: Record<string, unknown>) => object) | undefined): void;
  close(): void;
}

export async function openGarblingBank(): Promise<GarblingBank> {
  let bankUrl = '';
  let change: ((answer: Record<string, unknown>) => object) | undefined;
  const passOn = async (req: IncomingMessage, res: ServerResponse) => {
    let body = '';
    for await (const chunk of req.setEncoding('utf8')) body += String(chunk);
    const path = req.url ?? '';
    const key = req.headers['idempotency-key'];
    const headers = { 'content-type': 'application/json', ...(typeof key === 'string' && { 'idempotency-key': key }) };
    const { method = 'POST' } = req;
    const answer = await fetch(bankUrl + path, { method, headers, ...(method !== 'GET' && { body }) });
    const text = await answer.text();
    const changed =
      change === undefined || path === '/v1/inquiries'
        ? text
        : JSON.stringify(change(JSON.parse(text) as Record<string, unknown>));
    res.writeHead(answer.status, { 'content-type': 'application/json' }).end(changed);
  };
  const server = createServer((req, res) => void passOn(req, res).catch(() => res.destroy())).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    standBefore: (url) => {
      bankUrl = url;
    },
    garble: (next) => {
      change = next;
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
