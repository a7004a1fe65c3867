import { setTimeout as sleep } from 'node:timers/promises';
import type { NextIntent } from './cardholder.ts';
import { growingPauses, retryAfterOf } from './pauses.ts';
import type { OnStep } from './step.ts';
import type { TerminalClient } from './terminal.client.ts';

interface Asking {
  client: TerminalClient;
  signal: AbortSignal;
  onStep: OnStep;
}

/** How long one long poll waits; the longest that the service allows. */
const WAIT_SECONDS = 25;
/** Pauses after requests that failed. */
const TROUBLE = { firstMs: 250, longestMs: 10_000 };
/**
 * Pauses after a "none" that came long before the poll's time was over. A service answers so if it is about to stop, or if a charge
 * of this terminal has no outcome yet.
 */
const EARLY = { firstMs: 50, longestMs: 2_000 };
/** A "none" that took less than this is early. */
const LEAST_WAIT_MS = 1_000;

/** Polls until there is an intent for this terminal. */
export async function waitForIntent({ client, signal, onStep }: Asking): Promise<NextIntent> {
  const troubles = growingPauses(TROUBLE);
  const early = growingPauses(EARLY);
  let isInTrouble = false;
  for (;;) {
    const begun = performance.now();
    onStep({ kind: 'waiting', at: begun });
    const result = await client.next(WAIT_SECONDS, signal);
    const at = performance.now();
    if (result.kind !== 'done') {
      const pauseMs = troubles.next(retryAfterOf(result));
      onStep({ kind: 'trouble', at, result, pauseMs });
      isInTrouble = true;
      await sleep(pauseMs, undefined, { signal });
      continue;
    }
    if (isInTrouble) onStep({ kind: 'back', at });
    isInTrouble = false;
    troubles.reset();
    if (result.value !== undefined) return result.value;
    if (at - begun >= LEAST_WAIT_MS) early.reset();
    else await sleep(early.next(), undefined, { signal });
  }
}

/**
 * Waits until the shown intent is no longer to be paid. Returns the intent that has taken its place, if any.
 */
export async function waitForChange(
  { client, lookAgainMs }: Pick<Asking, 'client'> & { lookAgainMs: number },
  intent: NextIntent,
  signal: AbortSignal,
): Promise<NextIntent | undefined> {
  const troubles = growingPauses({ firstMs: lookAgainMs, longestMs: TROUBLE.longestMs });
  for (let pauseMs = lookAgainMs; ;) {
    await sleep(pauseMs, undefined, { signal });
    const result = await client.next(0, signal);
    if (result.kind !== 'done') {
      pauseMs = Math.max(lookAgainMs, troubles.next(retryAfterOf(result)));
      continue;
    }
    troubles.reset();
    pauseMs = lookAgainMs;
    if (result.value !== undefined && result.value.id !== intent.id) return result.value;
    // A service that is about to stop answers "none" although the intent is open.
    if (result.value === undefined && (await isOver({ client }, intent, signal))) return undefined;
  }
}

async function isOver({ client }: Pick<Asking, 'client'>, { id }: NextIntent, signal: AbortSignal): Promise<boolean> {
  const result = await client.ask(id, signal);
  return result.kind === 'done'
    ? result.value.status !== 'PENDING'
    : result.kind === 'refused' && result.refusal.status === 404;
}
