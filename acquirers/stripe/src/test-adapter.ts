import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { NODE_ARGUMENTS } from '@cobro/service-kit/node-arguments.ts';
import { freePort } from '@cobro/testing/free-port.ts';
import { testDatabase } from '@cobro/testing/test-database.ts';
import { schema } from './schema.ts';
import { startListening } from './test-localstripe.ts';
import { openStripeRules } from './test-stripe-rules.ts';

/** A database, localstripe and the rules before it, and what starts the adapter's process, each time at the same address. */
export async function prepare(python: string, tokens: readonly string[]) {
  const database = await testDatabase(schema);
  const local = await startListening(python, (port) => ['-m', 'localstripe', '--port', String(port), '--from-scratch']);
  const rules = await openStripeRules(local.url);
  const port = await freePort();
  const env = {
    HOST: '127.0.0.1',
    PORT: String(port),
    DRAIN_DELAY_MS: '0',
    DATABASE_URL: database.url,
    ACCEPTED_TOKENS: tokens.join(','),
    CARD_FINGERPRINT_KEY: randomBytes(32).toString('base64'),
    STRIPE_SECRET_KEY: 'sk_test_adapter',
    STRIPE_URL: rules.url,
    STRIPE_TIMEOUT_MS: '30000',
  };
  const main = join(import.meta.dirname, 'main.ts');
  const start = () =>
    startListening(process.execPath, () => [...NODE_ARGUMENTS, main], { port, env, ready: '/health/live' });
  return { database, local, rules, start };
}
