import { randomBytes } from 'node:crypto';
import { NODE_ENVIRONMENT } from '@cobro/service-kit/node-arguments.ts';
import { freePort } from '@cobro/testing/free-port.ts';
import type { Environment } from '@cobro/testing/service-environment.ts';
import { findLocalstripe } from '../../simulators/localstripe/src/find-programs.ts';
import { compiledFolder, type Packed } from './pack-programs.ts';
import { processEnvironment } from './process-environment.ts';
import type { Run } from './run.ts';
import { repositoryFolder } from './run-record.ts';
import { Sentence } from './servers/server.ts';
import { supervise } from './supervisor.ts';

/** The Stripe adapter of a stack, and its stand-in for Stripe. */
export interface StackStripe {
  /** The adapter's address, to which each request shows the token. */
  url: string;
  token: string;
  /** Where localstripe answers as Stripe does. */
  stripeUrl: string;
}

const STOP_WITHIN_MS = 2_000;

/** Starts localstripe and the adapter in front of it. @throws Sentence if localstripe cannot be had */
export async function startStripe(
  run: Run,
  { packed, databaseUrl, spansEndpoint }: { packed: Packed; databaseUrl: string; spansEndpoint: string | undefined },
): Promise<StackStripe> {
  // In a process of the stack, which gets less of our environment, pip may not know the way to its registry.
  if ((await findLocalstripe()) === undefined) {
    throw new Sentence('localstripe is not here: it needs python3 with venv and pip, and the way to a registry.');
  }
  const token = randomBytes(24).toString('base64url');
  const stripeUrl = await startOne(run, packed, 'simulators/localstripe/src/main.ts', {});
  const url = await startOne(run, packed, 'acquirers/stripe/src/main.ts', {
    ...processEnvironment('stripe', spansEndpoint),
    DATABASE_URL: databaseUrl,
    DRAIN_DELAY_MS: '0',
    ACCEPTED_TOKENS: token,
    CARD_FINGERPRINT_KEY: randomBytes(32).toString('base64'),
    STRIPE_SECRET_KEY: 'sk_test_stack',
    STRIPE_URL: stripeUrl,
  });
  return { url, token, stripeUrl };
}

async function startOne(run: Run, packed: Packed, main: string, env: Environment): Promise<string> {
  const [, name = ''] = main.split('/');
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const supervised = supervise(run, {
    name,
    url,
    command: process.execPath,
    args: packed.argumentsFor(main),
    cwd: repositoryFolder,
    env: {
      ...NODE_ENVIRONMENT,
      NODE_COMPILE_CACHE: compiledFolder,
      ...processEnvironment(name, undefined),
      ...env,
      HOST: '127.0.0.1',
      PORT: String(port),
    },
    onLaunch: () => {},
    onReady: () => Promise.resolve(),
  });
  run.onStop(async () => void (await supervised.stop(STOP_WITHIN_MS)));
  await supervised.start();
  return url;
}
