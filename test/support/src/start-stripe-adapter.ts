import { randomBytes, randomUUID } from 'node:crypto';
import { schema } from '../../../acquirers/stripe/src/schema.ts';
import { startLocalstripe } from '../../../simulators/localstripe/src/start-localstripe.ts';
import { openStripeRules } from '../../../simulators/localstripe/src/stripe-rules.ts';
import { freePort } from './free-port.ts';
import { testDatabase } from './test-database.ts';
import { testProcess } from './test-process.ts';
import { until } from './until.ts';

type Json = Record<string, unknown>;

export const adapterTokens = ['the-token-until-now', 'the-token-from-now-on'];

export type RunningStripeAdapter = Awaited<ReturnType<typeof startStripeAdapter>>;

export const adapterCard = {
  expirationMonth: 12,
  expirationYear: 2040,
  cvc: '123',
  holderName: 'Ana Torres',
  use: 'saved',
};

export const adapterCharge = (token: string, amount: number) => ({
  token,
  amount,
  currency: 'MXN',
  initiatedBy: 'merchant',
  merchant: { id: '6f6b4a0e-3f1c-4f0a-9d1e-2b7a5c8d9e0f', descriptor: null },
});

/** The secrets of the adapter's process. */
export const adapterSecrets = () => ({
  ACCEPTED_TOKENS: adapterTokens.join(','),
  CARD_FINGERPRINT_KEY: randomBytes(32).toString('base64'),
  STRIPE_SECRET_KEY: 'sk_test_adapter',
});

/** The Stripe adapter as a process of its own, in front of localstripe and Stripe's rules. @param python from `findLocalstripe` */
export async function startStripeAdapter(python: string, changed: Record<string, string> = {}) {
  const [database, local] = await Promise.all([testDatabase(schema), startLocalstripe(python)]);
  const rules = await openStripeRules(local.url);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const env = {
    HOST: '127.0.0.1',
    PORT: String(port),
    DRAIN_DELAY_MS: '0',
    DATABASE_URL: database.url,
    ...adapterSecrets(),
    STRIPE_URL: rules.url,
    STRIPE_TIMEOUT_MS: '30000',
    ...changed,
  };
  const adapter = testProcess({ main: 'acquirers/stripe/src/main.ts', env, url });
  const post = async (path: string, body: Json, key?: string, more: Record<string, string> = {}) => {
    const headers = {
      'content-type': 'application/json',
      authorization: `Bearer ${adapterTokens[0]}`,
      ...(key !== undefined && { 'idempotency-key': key }),
      ...more,
    };
    const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    return { status: answer.status, body: (await answer.json()) as Json };
  };
  await adapter.start();
  return {
    url,
    rules,
    database,
    /** Ends it like a crash. `start` brings it up again at the same address. */
    kill: adapter.kill,
    start: adapter.start,
    hasEnded: adapter.hasEnded,
    post,
    inquire: async (idempotencyKey: string, close = true) =>
      (await post('/v1/inquiries', { idempotencyKey, close })).body,
    /** Saves a card and returns its token. */
    tokenOf: async (number = '4242424242424242') =>
      String((await post('/v1/tokens', { ...adapterCard, number }, randomUUID())).body['token']),
    close: async () => {
      await adapter.kill();
      rules.close();
      await local.kill();
      await database.drop();
    },
  };
}

/** The answer to closing inquiries once the operation is decided. */
export async function settledAt({ inquire }: Pick<RunningStripeAdapter, 'inquire'>, key: string): Promise<Json> {
  let said: Json = {};
  await until('the operation is decided', async () => {
    said = await inquire(key);
    return said['outcome'] !== 'in_progress';
  });
  return said;
}
