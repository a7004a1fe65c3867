import { parseEnvelope } from '@cobro/contracts/events.ts';
import { tappedPaymentAnswer } from '@cobro/contracts/intent-questions.ts';
import { eventHandlers } from '@cobro/events/event-handlers.ts';
import { receiveEvent } from '@cobro/events/inbox.ts';
import type { Deps } from '../deps.ts';
import type { OverdueAttempt } from './attempt.store.ts';
import { onPaymentConfirmed, onPaymentDeclined } from './on-payment-outcome.ts';

/** Longer than the 150 ms of a hand-over, because no terminal waits for this one. */
const WITHIN_MS = 3_000;

/**
 * Asks payments what became of an attempt, and applies the outcome as its event would be. If payments does not know the
 * payment, hands the request over again, and payments decides whether there is time left to charge. @throws if payments cannot
 * be asked; the attempt then stays open
 */
export async function learnOutcome(deps: Deps, { paymentId, request }: OverdueAttempt): Promise<void> {
  const path = `/internal/tapped-payments/${paymentId}`;
  const answer = tappedPaymentAnswer.parse(await deps.payments.get(path, performance.now() + WITHIN_MS));
  if (answer.kind === 'ended') await receiveEvent(deps.db, outcomeHandlers(deps), parseEnvelope(answer.event));
  if (answer.kind === 'unknown') await deps.payments.post('/internal/events', request, WITHIN_MS);
}

const outcomeHandlers = (deps: Deps) =>
  eventHandlers({ PaymentConfirmed: onPaymentConfirmed(deps), PaymentDeclined: onPaymentDeclined(deps) });
