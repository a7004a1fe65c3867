import { parseEnvelope } from '@cobro/contracts/events.ts';
import { type HoldAnswer, holdAnswer } from '@cobro/contracts/hold-questions.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import { eventHandlers } from '@cobro/events/event-handlers.ts';
import { receiveEvent } from '@cobro/events/inbox.ts';
import type { Deps } from './deps.ts';
import type { NamedHold } from './hold.store.ts';
import { onHoldPlaced } from './on-hold-placed.ts';

const handlers = eventHandlers({ HoldPlaced: onHoldPlaced });

/**
 * Claims on the hold that is named. `claim` gives undefined where holds does not have it; then payments knows why, or tells of a
 * placement that has not reached holds yet. Throws the 404 and the 400. `checkBody` comes before the refusal of a payment that is not
 * held, as in the order of checks.
 */
export async function claimOnHold<T>(
  deps: Deps,
  named: NamedHold,
  deadline: number,
  { claim, checkBody }: { claim: () => Promise<T | undefined>; checkBody: () => unknown },
): Promise<T> {
  const claimed = (await claim()) ?? ((await learnOf(deps, named, deadline)) ? await claim() : undefined);
  if (claimed !== undefined) return claimed;
  checkBody();
  throw new Refusal('PAYMENT_NOT_HELD');
}

/** False for a payment that is not held. */
async function learnOf(deps: Deps, named: NamedHold, deadline: number): Promise<boolean> {
  const told = await askPayments(deps, named, deadline);
  if (told.kind === 'hold') {
    await receiveEvent(deps.db, handlers, parseEnvelope(told.event));
    return true;
  }
  if (told.code === 'PAYMENT_NOT_HELD') return false;
  throw new Refusal(told.code);
}

async function askPayments(deps: Deps, { paymentId, ...query }: NamedHold, deadline: number): Promise<HoldAnswer> {
  const path = `/internal/payments/${paymentId}?${new URLSearchParams(query).toString()}`;
  const json = await deps.payments.get(path, deadline);
  return holdAnswer.parse(json);
}
