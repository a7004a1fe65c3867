import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { tappedCardBody } from '@cobro/testing/test-intents.ts';
import { until } from '@cobro/testing/until.ts';
import type { Client, Send } from '../e2e/client.ts';
import { type Attempt, brokenPromises, repeatFailed, type Repeated, startLoad, type Work } from '../e2e/load.ts';
import type { Namespace } from './cluster.ts';
import type { Terminal } from './stories.ts';

/** The actors of the load, and their namespace. */
export interface Scene {
  /** The folder for logs and failed requests. */
  folder: string;
  namespace: Namespace;
  merchant: Client;
  /** Sends without a key at the main host. */
  stranger: Send;
  terminal: Terminal;
  /** False if the earlier release has no webhooks. */
  readsEvents: boolean;
}

/** A key may read this often: 120 times a minute. */
const READ_EVERY_MS = 600;

/** More load than the merchants' charges and holds: a terminal for intents, and a reader for reporting and webhooks. */
function othersOf({ merchant, stranger, terminal, readsEvents }: Scene) {
  const headers = { 'x-terminal-key': terminal.key };
  const tap = async (attempt: Attempt) => {
    const body = { amount: 80, currency: 'MXN', externalId: crypto.randomUUID(), terminalCode: terminal.serial };
    const made = await attempt('intent', () => merchant.send<{ id: string }>('POST', '/payment-intent', { body }));
    if (made === undefined) return;
    const next = '/api/terminal/v1/payment-intent/next?waitSeconds=2';
    const shown = await attempt('next intent', () => stranger<{ id: string }>('GET', next, { headers }));
    if (shown?.id === undefined) return;
    const tapped = { attemptId: crypto.randomUUID(), card: tappedCardBody() };
    const path = `/api/terminal/v1/payment-intent/${shown.id}/payment`;
    await attempt('tap', () => stranger('POST', path, { headers, body: tapped }));
  };
  const read = async (attempt: Attempt) => {
    await attempt('read', () => merchant.send('GET', '/developer/v1/payment?limit=5'));
    if (readsEvents) await attempt('read of events', () => merchant.send('GET', '/event?limit=5'));
    await sleep(READ_EVERY_MS);
  };
  return [tap, read];
}

/** Requests that had begun by that moment, in milliseconds since 1970, may fail; `with an answer`: only if they were answered. */
type MayFailUntil = (moment: number, how?: 'with an answer') => void;

/**
 * Lets merchants, a terminal and a reader work while something happens, until all pods are ready again and for a while after. Returns the
 * counts in words.
 * @throws if a request failed that may not, if the books contradict an answer, or if a failed charge that was repeated with its
 * externalId did not become one payment
 */
export async function underLoad(
  scene: Scene,
  happen: (mayFailUntil: MayFailUntil) => Promise<unknown>,
): Promise<string> {
  const card = await scene.merchant.saveCard();
  const load = startLoad(scene.merchant, card, othersOf(scene));
  let allowedUntil = 0;
  let hasToAnswer = false;
  let work: Work;
  try {
    await goesOn(load, 40);
    await happen((moment, how) => {
      allowedUntil = moment;
      hasToAnswer = how !== undefined;
    });
    await scene.namespace.settled();
    await goesOn(load, 40);
  } finally {
    work = await load.stop();
  }
  const lines = work.failed.map((one) => `${JSON.stringify({ ...one, begunAt: new Date(one.begunAt) })}\n`);
  appendFileSync(join(scene.folder, 'failed.jsonl'), lines.join(''));
  const repeated = await repeatFailed(scene.merchant, card, work);
  const counts = countsOf(load.done(), work, repeated);
  const unexpected = work.failed.filter(
    ({ begunAt, code }) => begunAt > allowedUntil || (hasToAnswer && code === undefined),
  );
  const wrong = [...repeated.wrong, ...(await brokenPromises(scene.merchant, card, work))];
  if (unexpected.length > 0) {
    const late =
      allowedUntil === 0
        ? ''
        : ` (begun ${Math.max(...unexpected.map((one) => one.begunAt)) - allowedUntil} ms too late)`;
    throw new Error(`${unexpected.length} failed that should not${late}: ${counts}`);
  }
  if (wrong.length > 0) throw new Error(`${counts}; ${wrong.slice(0, 10).join('; ')}`);
  return counts;
}

async function goesOn(load: { done(): number }, more: number): Promise<void> {
  const before = load.done();
  await until(`${more} more requests are answered`, async () => load.done() > before + more);
}

function countsOf(done: number, { failed, refusals, lost }: Work, { made, notProcessed }: Repeated): string {
  const summary = `${done + failed.length} requests, ${failed.length} failed`;
  if (failed.length === 0) return summary;
  const again =
    made + notProcessed === 0
      ? ''
      : `; repeated with its externalId ${made} had moved money once, ${notProcessed} never`;
  return `${summary} (${[...refusals, ...lost].slice(0, 12).join('; ')})${again}`;
}
