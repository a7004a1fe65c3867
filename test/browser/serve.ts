import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listening } from '@cobro/testing/listening.ts';

/** Answers on a free port of loopback until it is closed. */
export const serve = (answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>) =>
  listening(createServer((request, response) => void answer(request, response)));

export async function formOf(request: IncomingMessage): Promise<URLSearchParams> {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  return new URLSearchParams(body);
}
