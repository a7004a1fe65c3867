import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Stands in front of localstripe and adds the rules of Stripe that it lacks, each with the sentence of Stripe's documentation that it
 * follows, and the faults of a network.
 */
export interface Fault {
  path: RegExp;
  /** Before the request has an effect, or after it. */
  at: 'before' | 'after';
  how: 'cut' | 429 | 500;
}
export interface Recorded {
  method: string;
  path: string;
  body: string;
}

type Json = Record<string, unknown>;
interface Reply {
  status: number;
  body: Json;
}
interface Kept {
  captured?: number;
  hasPlans: boolean;
}

const WEEK_S = 7 * 86_400;
const failed = (status: number, error: Json): Reply => ({ status, body: { error } });
const invalid = (code: string | undefined, message: string, more: Json = {}) =>
  failed(400, { type: 'invalid_request_error', message, ...(code !== undefined && { code }), ...more });

export type StripeRules = Awaited<ReturnType<typeof openStripeRules>>;

export async function openStripeRules(localstripe: string) {
  const faults: Fault[] = [];
  const recorded: Recorded[] = [];
  const saved = new Map<string, { request: string; reply: Reply | undefined }>();
  const intents = new Map<string, Kept>();
  const numbers = new Map<string, string>();
  const plans = [3, 6, 9, 12, 18];
  let turn: Promise<unknown> = Promise.resolve();

  const ask = async (method: string, path: string, form?: URLSearchParams): Promise<Reply> => {
    const headers = { authorization: 'Bearer sk_test_rules' };
    const answer = await fetch(localstripe + path, { method, headers, ...(form && form.size > 0 && { body: form }) });
    return { status: answer.status, body: (await answer.json()) as Json };
  };
  /** One request at a time, as Stripe locks the object that a request changes. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = turn.then(work);
    turn = done.catch(() => {});
    return done;
  };
  const without = (form: URLSearchParams, ...names: string[]) =>
    new URLSearchParams([...form].filter(([name]) => !names.some((one) => name === one || name.startsWith(`${one}[`))));

  const shown = (intent: Json): Json => {
    const kept = intents.get(String(intent['id']));
    const charge = intent['latest_charge'] as Json | null;
    const offered = plans.map((count) => ({ count, interval: 'month', type: 'fixed_count' }));
    const before = Number(intent['created']) + WEEK_S;
    return {
      ...intent,
      amount_received: intent['status'] === 'succeeded' ? (kept?.captured ?? intent['amount']) : 0,
      ...(kept?.hasPlans === true && {
        // "…the response includes available_plans" (docs: Accept meses sin intereses card payments).
        payment_method_options: { card: { installments: { available_plans: offered } } },
      }),
      latest_charge:
        charge === null
          ? null
          : {
              ...charge,
              authorization_code: '123456',
              // "The payment_method_details.card.capture_before attribute on the charge indicates when the authorization expires."
              payment_method_details: { card: { capture_before: before } },
            },
    };
  };

  const createIntent = async (form: URLSearchParams): Promise<Reply> => {
    const hasPlans = form.get('payment_method_options[card][installments][enabled]') === 'true';
    const sent = without(form, 'allowed_payment_method_types', 'statement_descriptor_suffix', 'payment_method_options');
    const reply = await ask('POST', '/v1/payment_intents', sent);
    if (reply.status === 200) intents.set(String(reply.body['id']), { hasPlans });
    return reply.status === 200 ? { status: 200, body: shown(reply.body) } : reply;
  };

  const onIntent = async (id: string, verb: string, form: URLSearchParams): Promise<Reply> => {
    const intent = (await ask('GET', `/v1/payment_intents/${id}`)).body;
    const status = String(intent['status']);
    const wrongState = invalid('payment_intent_unexpected_state', `This PaymentIntent has a status of ${status}.`, {
      payment_intent: shown(intent),
    });
    if (verb === 'capture') {
      // "After it's canceled… any operations on the PaymentIntent fail with an error."
      if (status !== 'requires_capture') return wrongState;
      const amount = Number(form.get('amount_to_capture') ?? intent['amount']);
      // "The amount to capture… must be less than or equal to the original amount."
      if (amount > Number(intent['amount'])) return invalid('amount_too_large', 'The amount is too large.');
      const reply = await ask('POST', `/v1/payment_intents/${id}/capture`, without(form, 'expand'));
      if (reply.status === 200) intents.set(id, { hasPlans: false, ...intents.get(id), captured: amount });
      return reply.status === 200 ? { status: 200, body: shown(reply.body) } : reply;
    }
    if (verb === 'confirm' && status !== 'requires_confirmation') return wrongState;
    if (verb === 'cancel' && ['canceled', 'succeeded', 'processing'].includes(status)) return wrongState;
    const reply = await ask('POST', `/v1/payment_intents/${id}/${verb}`);
    if (reply.status === 402) return cardError(reply, numberOf(intent['payment_method']));
    return reply.status === 200 ? { status: 200, body: shown(reply.body) } : reply;
  };

  /**
   * "card_error: Card errors are the most common type of error." Of the cards in Stripe's page on testing, 4000000000009995 is declined
   * insufficient_funds, and 4242424242424241 incorrect_number.
   */
  const cardError = ({ body }: Reply, number: string): Reply => {
    const error = { ...(body['error'] as Json), type: 'card_error' };
    if (number.endsWith('4241')) return failed(402, { ...error, code: 'incorrect_number' });
    const reason = number.endsWith('9995') ? 'insufficient_funds' : 'generic_decline';
    return failed(402, { ...error, code: 'card_declined', decline_code: reason });
  };
  const numberOf = (method: unknown) => numbers.get(String(method)) ?? '';

  /** "expired_card: The card has expired." */
  const createMethod = async (form: URLSearchParams): Promise<Reply> => {
    const [year, month] = [Number(form.get('card[exp_year]')), Number(form.get('card[exp_month]'))];
    if (new Date(Date.UTC(year, month)) < new Date()) return failed(402, { type: 'card_error', code: 'expired_card' });
    const reply = await ask('POST', '/v1/payment_methods', form);
    numbers.set(String(reply.body['id']), String(form.get('card[number]')));
    return reply;
  };

  const refund = async (form: URLSearchParams): Promise<Reply> => {
    const id = String(form.get('payment_intent'));
    const intent = shown((await ask('GET', `/v1/payment_intents/${id}`)).body);
    const left = Number(intent['amount_received']) - sumOf(await refundsOf(id));
    // "You can't refund a total greater than the original charge amount."
    if (Number(form.get('amount')) > left) {
      return invalid(undefined, 'Refund amount is greater than unrefunded amount on charge', { param: 'amount' });
    }
    return ask('POST', '/v1/refunds', form);
  };
  /** Without what localstripe gives back by itself of a capture of a part. */
  const refundsOf = async (intent: string): Promise<Json[]> => {
    const { body } = await ask('GET', `/v1/refunds?payment_intent=${intent}&limit=100`);
    return ((body['data'] ?? []) as Json[]).filter(({ metadata }) => 'operation' in (metadata as Json));
  };
  const sumOf = (refunds: Json[]) => refunds.reduce((sum, one) => sum + Number(one['amount']), 0);

  const balance = async (query: URLSearchParams): Promise<Reply> => {
    const kept = without(query, 'created');
    const { body } = await ask('GET', `/v1/balance_transactions?${kept.toString()}`);
    const [from, to] = [Number(query.get('created[gte]')), Number(query.get('created[lte]'))];
    const data = ((body['data'] ?? []) as Json[])
      .filter(({ created }) => Number(created) >= from && Number(created) <= to)
      .filter(({ type, source }) => type !== 'refund' || 'operation' in ((source as Json)['metadata'] as Json))
      .map((one) => {
        const intent = String((one['source'] as Json)['payment_intent']);
        const amount =
          one['type'] === 'charge' ? (intents.get(intent)?.captured ?? Number(one['amount'])) : Number(one['amount']);
        // "fee: Fees paid for this transaction." In Mexico 3.6 % and 3 pesos of a charge.
        const fee = one['type'] === 'charge' ? Math.round(amount * 0.036) + 300 : 0;
        return { ...one, amount, fee, net: amount - fee };
      });
    return { status: 200, body: { ...body, data } };
  };

  const execute = async (
    method: string,
    path: string,
    query: URLSearchParams,
    form: URLSearchParams,
  ): Promise<Reply> => {
    const [, id = '', verb = ''] = /^\/v1\/payment_intents\/(\w+)(?:\/(\w+))?$/.exec(path) ?? [];
    if (method === 'POST' && path === '/v1/payment_intents') return createIntent(form);
    if (method === 'POST' && id !== '') return onIntent(id, verb, form);
    if (id !== '') {
      const { status, body } = await ask('GET', path);
      return { status, body: status === 200 ? shown(body) : body };
    }
    if (path === '/v1/payment_methods') return createMethod(form);
    if (method === 'POST' && path === '/v1/refunds') return refund(form);
    if (path === '/v1/refunds') {
      const data = await refundsOf(String(query.get('payment_intent')));
      return { status: 200, body: { object: 'list', data, has_more: false, url: path } };
    }
    if (path === '/v1/balance_transactions') return balance(query);
    const reply = await ask(method, path, without(form, 'allowed_payment_method_types'));
    return reply.status === 402 ? cardError(reply, numberOf(form.get('payment_method'))) : reply;
  };

  /**
   * "Stripe's idempotency works by saving the resulting status code and body of the first request made for any given idempotency key…
   * The idempotency layer compares incoming parameters to those of the original request and errors if they're not the same."
   */
  const idempotently = async (key: string | undefined, request: string, work: () => Promise<Reply>): Promise<Reply> => {
    if (key === undefined) return inTurn(work);
    const known = saved.get(key);
    if (known !== undefined && known.request !== request) return failed(400, { type: 'idempotency_error' });
    if (known !== undefined)
      return known.reply ?? failed(409, { type: 'invalid_request_error', code: 'idempotency_key_in_use' });
    const entry: { request: string; reply: Reply | undefined } = { request, reply: undefined };
    saved.set(key, entry);
    entry.reply = await inTurn(work);
    return entry.reply;
  };

  const serve = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const { pathname, searchParams } = new URL(req.url ?? '/', 'http://stripe');
    const chunks: Buffer[] = [];
    for await (const chunk of req as AsyncIterable<Buffer>) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString('utf8');
    const method = req.method ?? 'GET';
    recorded.push({ method, path: req.url ?? '', body });
    const at = faults.findIndex(({ path }) => path.test(`${method} ${pathname}`));
    const fault = at === -1 ? undefined : faults.splice(at, 1)[0];
    const send = ({ status, body: sent }: Reply) => {
      res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(sent));
    };
    const fail = (how: Fault['how']) =>
      how === 'cut'
        ? void res.destroy()
        : send(failed(how, { type: how === 429 ? 'invalid_request_error' : 'api_error' }));
    // "…rate limiters run before the API's idempotency layer."
    if (fault?.at === 'before') return fail(fault.how);
    const key = req.headers['idempotency-key'];
    const reply = await idempotently(typeof key === 'string' ? key : undefined, `${method} ${pathname} ${body}`, () =>
      execute(method, pathname, searchParams, new URLSearchParams(body)),
    );
    return fault === undefined ? send(reply) : fail(fault.how);
  };
  const server = createServer((req, res) => void serve(req, res).catch(() => res.destroy()));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    faults,
    recorded,
    /** Numbers of installments that Stripe offers for each card. */
    plans,
    /** "…removed from the system automatically after they're at least 24 hours old." */
    forgetKeys: () => saved.clear(),
    /** What Stripe holds, moved and gave back of the intent that an operation made, past all faults. */
    truthOf: async (operation: string) => {
      const all = await Promise.all(
        [...intents.keys()].map(async (id) => shown((await ask('GET', `/v1/payment_intents/${id}`)).body)),
      );
      const mine = all.filter(({ metadata }) => (metadata as Json)['operation'] === operation);
      const refunded = await Promise.all(
        mine.map(async ({ id, latest_charge: charge }) => (charge === null ? 0 : sumOf(await refundsOf(String(id))))),
      );
      const sum = (status: string, field: string) =>
        mine.filter((one) => one['status'] === status).reduce((total, one) => total + Number(one[field]), 0);
      return {
        held: sum('requires_capture', 'amount'),
        moved: sum('succeeded', 'amount_received'),
        refunded: refunded.reduce((a, b) => a + b, 0),
      };
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
