import { request as http, type ClientRequest, type IncomingMessage } from 'node:http';
import { request as https } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { acquirerRoutes } from '@cobro/contracts/acquirer/routes.ts';
import { problemBody, problems } from '@cobro/contracts/acquirer/problems.ts';
import { Broken, must } from './broken.ts';

export type RouteName = keyof typeof acquirerRoutes;
export type Json = Record<string, unknown>;
export interface Answered {
  status: number;
  body: Json;
}

/** The body is sent as JSON, the headers besides the usual ones. An undefined header takes a usual one away. */
export interface Sending {
  body?: unknown;
  /** Sent as it is, in place of a body. */
  text?: string;
  query?: Record<string, string>;
  headers?: Record<string, string | undefined>;
}

/** The acquirer as its callers see it. */
export interface Acquirer {
  /** Sends a request and checks the answer against the route's contract. */
  ask(route: RouteName, sending: Sending): Promise<Answered>;
  /** Begins a request and sends half of its body. `end` sends the rest, `cut` the connection. */
  begin(route: RouteName, sending: Sending): Promise<{ end(): Promise<Answered>; cut(): void }>;
  /** Sends the whole request and cuts the connection after these milliseconds, or at the first byte of the answer. */
  cutAnswer(route: RouteName, sending: Sending, afterMs: number): Promise<void>;
}

const PATIENCE_MS = 30_000;

export function openAcquirer(url: string, token: string | undefined): Acquirer {
  const request = url.startsWith('https:') ? https : http;
  const open = (route: RouteName, { body, text, query, headers }: Sending) => {
    const { method, path } = acquirerRoutes[route];
    const written = Buffer.from(text ?? (body === undefined ? '' : JSON.stringify(body)));
    const all = {
      ...(method === 'POST' && { 'content-type': 'application/json', 'content-length': String(written.length) }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...headers,
    };
    const given = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
    const search = query === undefined ? '' : `?${new URLSearchParams(query).toString()}`;
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const sent = request(`${url.replace(/\/$/, '')}${path}${search}`, {
      method,
      headers: given,
      agent: false,
      signal,
    });
    return { sent, written };
  };
  return {
    ask: async (route, sending) => {
      const { sent, written } = open(route, sending);
      const answer = answerOf(route, sent);
      sent.end(written);
      return answer;
    },
    begin: async (route, sending) => {
      const { sent, written } = open(route, sending);
      const answer = answerOf(route, sent);
      // If the connection is cut, nobody waits for the answer.
      answer.catch(() => {});
      const half = Math.floor(written.length / 2);
      await new Promise<void>((passed) => sent.write(written.subarray(0, half), () => passed()));
      return {
        end: () => {
          sent.end(written.subarray(half));
          return answer;
        },
        cut: () => void sent.destroy(),
      };
    },
    cutAnswer: async (route, sending, afterMs) => {
      const { sent, written } = open(route, sending);
      const begun = new Promise<void>((resolve) => {
        sent.once('response', (answer) => {
          answer.destroy();
          resolve();
        });
        sent.once('error', () => resolve());
      });
      sent.end(written);
      await Promise.race([begun, sleep(afterMs, undefined, { ref: false })]);
      sent.destroy();
    },
  };
}

async function answerOf(route: RouteName, sent: ClientRequest): Promise<Answered> {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    sent.once('response', resolve);
    sent.once('error', reject);
  });
  const chunks: Buffer[] = [];
  for await (const chunk of answer as AsyncIterable<Buffer>) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString('utf8');
  const status = answer.statusCode ?? 0;
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw new Broken(`${route} answered ${status} with what is no JSON: ${text.slice(0, 200)}`);
  }
  holdAgainstContract(route, status, body);
  return { status, body: body as Json };
}

function holdAgainstContract(route: RouteName, status: number, body: unknown): void {
  if (status === 200) {
    const read = acquirerRoutes[route].answer.safeParse(body);
    must(read.success, `${route} answered what is not in its form: ${JSON.stringify(body)}`);
    return;
  }
  const read = problemBody.safeParse(body);
  const isInForm = read.success && problems[read.data.error][0] === status;
  must(isInForm, `${route} answered ${status} with a body that no error has: ${JSON.stringify(body)}`);
}
