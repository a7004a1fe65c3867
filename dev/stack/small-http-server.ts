import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { listening } from '@cobro/testing/listening.ts';

export interface SmallRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string;
}

export interface SmallAnswer {
  status: number;
  body: unknown;
}

export type SmallServer = Awaited<ReturnType<typeof openSmallServer>>;

/** Serves JSON over HTTP on a port of 127.0.0.1. An error that `answer` throws becomes a 500. */
export async function openSmallServer(
  port: number,
  answer: (request: SmallRequest) => SmallAnswer | Promise<SmallAnswer>,
) {
  const server = createServer((request, response) => {
    void respond(request, response, answer);
  });
  return listening(server, port);
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  answer: (request: SmallRequest) => SmallAnswer | Promise<SmallAnswer>,
): Promise<void> {
  let answered: SmallAnswer;
  try {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    const headers = request.headers as Record<string, string>;
    answered = await answer({ method: request.method ?? 'GET', path, headers, body: await text(request) });
  } catch (error) {
    answered = { status: 500, body: { message: String(error) } };
  }
  response.writeHead(answered.status, { 'content-type': 'application/json' });
  response.end(`${JSON.stringify(answered.body)}\n`);
}
