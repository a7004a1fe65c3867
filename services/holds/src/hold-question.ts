import { parseEnvelope } from '@cobro/contracts/events.ts';
import { type HoldAnswer, holdAnswer } from '@cobro/contracts/hold-questions.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import { eventHandlers } from '@cobro/events/event-handlers.ts';
import { receiveEvent } from '@cobro/events/inbox.ts';
import type { Deps } from './deps.ts';
import type { HoldRow } from './hold.row.ts';
import { findHold } from './hold.store.ts';
import { onHoldPlaced } from './on-hold-placed.ts';

const handlers = eventHandlers({ HoldPlaced: onHoldPlaced });

export interface Asked {
  organizationId: string;
  paymentMethodId: string;
  paymentId: string;
}

/**
 * The hold of this payment and card. If holds does not have it, payments knows why, or tells of a placement that has not reached
 * holds yet. Throws the 404 and the 400. Returns undefined for a payment that is not held, whose refusal comes later in the order
 * of checks.
 */
export async function findHoldOf(deps: Deps, asked: Asked, deadline: number): Promise<HoldRow | undefined> {
  const known = await findHold(deps.db, asked.paymentId);
  if (known?.organizationId === asked.organizationId && known.paymentMethodId === asked.paymentMethodId) return known;
  const told = await askPayments(deps, asked, deadline);
  if (told.kind === 'hold') {
    await receiveEvent(deps.db, handlers, parseEnvelope(told.event));
    return findHold(deps.db, asked.paymentId);
  }
  if (told.code === 'PAYMENT_NOT_HELD') return undefined;
  throw new Refusal(told.code);
}

async function askPayments(deps: Deps, { paymentId, ...query }: Asked, deadline: number): Promise<HoldAnswer> {
  const path = `/internal/payments/${paymentId}?${new URLSearchParams(query).toString()}`;
  const json = await deps.payments.get(path, deadline);
  return holdAnswer.parse(json);
}
