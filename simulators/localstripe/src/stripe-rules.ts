import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { cardRules } from './card-rules.ts';
import { intentRules } from './intent-rules.ts';
import { type Ask, failed, openLocalstripe, type Reply, without } from './localstripe.client.ts';
import { moneyRules } from './money-rules.ts';
import { stripeKeys } from './stripe-keys.ts';

export interface Fault {
  /** Matches `METHOD path`. */
  path: RegExp;
  /** Before or after the request has its effect; `inside`: it has none, and Stripe saves the failure under the request's key. */
  at: 'before' | 'inside' | 'after';
  /** `silent` leaves the connection open without an answer. */
  how: 'cut' | 'silent' | 429 | 500;
}
export interface Recorded {
  method: string;
  path: string;
  body: string;
}
export interface StripeRules {
  url: string;
  /** Each is used once, in this order. */
  faults: Fault[];
  /** Holds each request before its effect and before its answer, until this resolves with how it fails, or with undefined. */
  gate: ((at: Fault['at'], request: Recorded) => Promise<Fault['how'] | undefined>) | undefined;
  recorded: Recorded[];
  /** Numbers of installments that Stripe offers for each card. */
  plans: number[];
  /** Operations whose refunds fail: the money comes back. */
  failedRefunds: Set<string>;
  forgetKeys(): void;
  /** The money held, moved and refunded of an operation's intents, whatever the faults did to answers. */
  truthOf(operation: string): Promise<{ held: number; moved: number; refunded: number }>;
  close(): void;
}

type Rules = ReturnType<typeof openRules>;

function openRules(ask: Ask) {
  let offsetMs = 0;
  const now = () => new Date(Date.now() + offsetMs);
  const cards = cardRules(ask, now);
  const intents = intentRules(ask, cards, now);
  return { ask, cards, intents, money: moneyRules(ask, intents), moveClock: (ms: number) => void (offsetMs = ms) };
}

async function execute({ ask, cards, intents, money }: Rules, { method, path, body }: Recorded): Promise<Reply> {
  const { pathname, searchParams: query } = new URL(path, 'http://stripe');
  const form = new URLSearchParams(body);
  const [, id, verb = ''] = /^\/v1\/payment_intents\/(\w+)(?:\/(\w+))?$/.exec(pathname) ?? [];
  if (id !== undefined) return method === 'POST' ? intents.change(id, verb, form) : intents.retrieve(id, query);
  switch (`${method} ${pathname}`) {
    case 'POST /v1/payment_intents':
      return intents.create(form);
    case 'POST /v1/payment_methods':
      return cards.create(form);
    case 'POST /v1/refunds':
      return money.refund(form);
    case 'GET /v1/refunds':
      return money.list(query);
    case 'GET /v1/balance_transactions':
      return money.balance(query);
  }
  const reply = await ask(method, path, without(form, 'allowed_payment_method_types'));
  return reply.status === 402 ? cards.errorOf(reply, form.get('payment_method')) : reply;
}

async function truthOf({ intents, money }: Rules, operation: string) {
  const all = await intents.all();
  const mine = all.filter(({ metadata }) => (metadata as { operation?: string }).operation === operation);
  const refunded = await Promise.all(
    mine.filter((one) => one['latest_charge'] !== null).map(({ id }) => money.refundedOf(String(id))),
  );
  const sum = (status: string, field: string) =>
    mine.filter((one) => one['status'] === status).reduce((total, one) => total + Number(one[field]), 0);
  return {
    held: sum('requires_capture', 'amount'),
    moved: sum('succeeded', 'amount_received'),
    refunded: refunded.reduce((a, b) => a + b, 0),
  };
}

async function readBody(req: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of req as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

const send = (res: ServerResponse, { status, body }: Reply) =>
  void res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

const failure = (how: 429 | 500) => failed(how, { type: how === 429 ? 'invalid_request_error' : 'api_error' });

function fail(res: ServerResponse, how: Fault['how']): void {
  if (how === 'cut') return void res.destroy();
  if (how === 'silent') return;
  send(res, failure(how));
}

/**
 * Adds the rules of Stripe that localstripe lacks, each with the sentence of Stripe's documentation that it follows, and the
 * faults of a network. `PUT /clock` with `{"offsetMs": …}` moves the clock of networks that let go of money.
 */
export async function openStripeRules(localstripe: string, port = 0, host = '127.0.0.1'): Promise<StripeRules> {
  const rules = openRules(openLocalstripe(localstripe));
  const keys = stripeKeys();
  const recorded: Recorded[] = [];
  const faults: Fault[] = [];
  const faultAt = ({ method, path }: Recorded) => {
    const at = faults.findIndex((one) => one.path.test(`${method} ${path.replace(/\?.*/, '')}`));
    return at === -1 ? undefined : faults.splice(at, 1)[0];
  };

  const serve = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const { method = 'GET', url: path = '/' } = req;
    const body = await readBody(req);
    if (path.startsWith('/health/')) return send(res, { status: 200, body: {} });
    if (path === '/clock') {
      rules.moveClock((JSON.parse(body) as { offsetMs: number }).offsetMs);
      return send(res, { status: 200, body: {} });
    }
    const request = { method, path, body };
    recorded.push(request);
    const fault = faultAt(request);
    const failureAt = async (at: Fault['at']) =>
      (fault?.at === at ? fault.how : undefined) ?? (await handle.gate?.(at, request));
    // "…rate limiters run before the API's idempotency layer."
    const before = await failureAt('before');
    if (before !== undefined) return fail(res, before);
    const key = req.headers['idempotency-key'] as string | undefined;
    const work = () => (fault?.at === 'inside' ? Promise.resolve(failure(500)) : execute(rules, request));
    const reply = await keys.once(key, JSON.stringify(request), work);
    const after = await failureAt('after');
    return after === undefined ? send(res, reply) : fail(res, after);
  };
  const server = createServer((req, res) => void serve(req, res).catch(() => res.destroy()));
  await new Promise<void>((listening) => server.listen(port, host, listening));
  const handle: StripeRules = {
    url: `http://${host}:${(server.address() as AddressInfo).port}`,
    faults,
    gate: undefined,
    recorded,
    plans: rules.intents.plans,
    failedRefunds: rules.money.failed,
    forgetKeys: keys.forget,
    truthOf: (operation) => truthOf(rules, operation),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return handle;
}
