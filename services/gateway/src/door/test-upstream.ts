import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedRequest {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** For tests: a service behind the gateway, over real HTTP. */
export interface TestUpstream {
  url: string;
  /** Every request whose body arrived complete. */
  received: ReceivedRequest[];
  /** Sets how the upstream answers from now on. It may break off, stall or die. */
  answer: (listener: RequestListener) => void;
  /** Ends the server and every connection. `restart` listens on the same port again. */
  stop: () => Promise<void>;
  restart: () => Promise<void>;
}

/**
 * @param preferred a port that nobody else gets while the upstream is stopped; 0 takes any, for an upstream that is never stopped
 */
export async function startTestUpstream(preferred = 0): Promise<TestUpstream> {
  let listener: RequestListener;
  let server: Server;
  const received: ReceivedRequest[] = [];
  const start = async (port: number) => {
    server = createServer((req, res) => {
      let body = '';
      req.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
      req.on('end', () => {
        received.push({ method: req.method ?? '', url: req.url ?? '', headers: req.headers, body });
        listener(req, res);
      });
    }).listen(port, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };
  const answerOk: RequestListener = (_req, res) => {
    res.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true}');
  };
  listener = answerOk;
  const port = await start(preferred);
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    answer: (next) => {
      listener = next;
    },
    stop: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
    restart: async () => {
      listener = answerOk;
      await start(port);
    },
  };
}
