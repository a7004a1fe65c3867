import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '../e2e/client.ts';

export type Till = ReturnType<typeof startTill>;

const PAUSE_MS = 100;

/** A merchant's own system: one charge after the other, each with an externalId of its own. */
export function startTill(merchant: Client, card: string) {
  /** The answered payment by externalId; undefined if no answer was a success. */
  const charges = new Map<string, string | undefined>();
  const stopping = new AbortController();
  const run = async () => {
    for (let n = 1; !stopping.signal.aborted; n++) {
      const externalId = `till-${n}`;
      charges.set(externalId, undefined);
      charges.set(externalId, await charge(merchant, card, externalId));
      await sleep(PAUSE_MS);
    }
  };
  const running = run();
  return {
    charges,
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}

/**
 * Sends all charges once more, as a system does that lacks some answers. Returns a sentence for each that is not the payment answered
 * before.
 */
export async function sendAgain(merchant: Client, card: string, { charges }: Till): Promise<string[]> {
  const wrong: string[] = [];
  for (const [externalId, before] of charges) {
    const now = await charge(merchant, card, externalId);
    if (now === undefined) wrong.push(`${externalId} could not be charged after the restore`);
    else if (before !== undefined && now !== before) wrong.push(`${externalId} was ${before} and is ${now} now`);
  }
  return wrong;
}

/** The id of the payment, or undefined if the answer was no success. */
async function charge(merchant: Client, card: string, externalId: string): Promise<string | undefined> {
  const answer = await merchant.charge(card, { amount: 25, externalId }).catch(() => undefined);
  return answer !== undefined && answer.status < 300 ? answer.body.id : undefined;
}
