import { parseEnvelope } from '@cobro/contracts/events.ts';
import { type HoldAnswer, holdAnswer } from '@cobro/contracts/hold-questions.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import { eventHandlers } from '@cobro/events/event-handlers.ts';
import { receiveEvent } from '@cobro/events/inbox.ts';
import { NEEDED_ANSWER_MS } from '@cobro/service-kit/service-client.ts';
import type { Deps } from './deps.ts';
import { findHoldToEnd, type HoldToEnd, type NamedHold } from './hold.store.ts';
import { onHoldPlaced } from './on-hold-placed.ts';

const handlers = eventHandlers({ HoldPlaced: onHoldPlaced });

/**
 * Reads the named hold. If holds does not have it, asks payments, which knows why or has a HoldPlaced that has not come yet.
 * Returns undefined for a payment that is not held. @throws Refusal 404
 */
export async function readHold(deps: Deps, named: NamedHold, deadline: number): Promise<HoldToEnd | undefined> {
  const known = await findHoldToEnd(deps.db, named);
  if (known !== undefined) {
    // Its ending may not be handed over yet; a caller who is answered that the hold has ended must not read HELD afterwards.
    await deps.handOverEnding(known.hold);
    return known;
  }
  return (await learnOf(deps, named, deadline)) ? findHoldToEnd(deps.db, named) : undefined;
}

/** Applies payments' HoldPlaced. Returns false for a payment that is not held. */
async function learnOf(deps: Deps, named: NamedHold, deadline: number): Promise<boolean> {
  const answer = await askPayments(deps, named, deadline);
  if (answer.kind === 'hold') {
    await receiveEvent(deps.db, handlers, parseEnvelope(answer.event));
    return true;
  }
  if (answer.code === 'PAYMENT_NOT_HELD') return false;
  throw new Refusal(answer.code);
}

async function askPayments(deps: Deps, { paymentId, ...query }: NamedHold, deadline: number): Promise<HoldAnswer> {
  const path = `/internal/payments/${paymentId}?${new URLSearchParams(query).toString()}`;
  const json = await deps.payments.get(path, deadline, NEEDED_ANSWER_MS);
  return holdAnswer.parse(json);
}
