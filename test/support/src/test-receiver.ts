import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { listening } from './listening.ts';

export interface Received {
  headers: Record<string, string>;
  body: string;
  /** The parsed body. */
  event: { id: string; type: string; object: { id: string } };
}

type Answering = (received: Received, res: ServerResponse, req: IncomingMessage) => void;

/** A merchant's own server: keeps what came, and answers 200 unless a test says otherwise. */
export async function testReceiver() {
  const received: Received[] = [];
  let answer: Answering = (_received, res) => void res.end();
  const server = createServer((req, res) => {
    const take = async () => {
      const body = await text(req);
      const headers = req.headers as Record<string, string>;
      const one = { headers, body, event: JSON.parse(body) as Received['event'] };
      received.push(one);
      answer(one, res, req);
    };
    void take();
  });
  const { url, close } = await listening(server);
  return {
    url: `${url}/webhooks`,
    received,
    answers: (by: Answering | number) => {
      answer = typeof by === 'number' ? (_received, res) => void res.writeHead(by).end('no thanks\u0007') : by;
    },
    close,
  };
}
