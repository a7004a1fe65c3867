import { dataOf, parseEnvelope } from '@cobro/contracts/events.ts';
import { holdAnswer } from '@cobro/contracts/hold-questions.ts';
import { outwardId, type OutwardPayment } from '@cobro/contracts/outward-events.ts';
import type { Tx } from '@cobro/postgres/database.ts';
import type { Deps } from '../deps.ts';
import { findEvent } from './event.store.ts';
import { keepEvent } from './keep-event.ts';
import { heldPayment } from './payment.rules.ts';

const ASK_WITHIN_MS = 3_000;

/**
 * A hold as it was shown when it was placed. The events of its placing and of its end come from two services, so the first may come
 * later, or may have come before this service was there: then payments is asked for it.
 */
export async function placedHold(
  deps: Deps,
  tx: Tx,
  { paymentId, organizationId }: { paymentId: string; organizationId: string },
): Promise<OutwardPayment> {
  const known = await findEvent(tx, outwardId(paymentId, 'hold.placed'));
  if (known !== undefined) return known.data as OutwardPayment;
  const path = `/internal/payments/${paymentId}?organizationId=${organizationId}`;
  const answer = holdAnswer.parse(await deps.payments.get(path, performance.now() + ASK_WITHIN_MS));
  if (answer.kind === 'none') throw new Error(`payments says of an ended hold: ${answer.code}`);
  const event = parseEnvelope(answer.event);
  const facts = dataOf('HoldPlaced', event);
  const data = heldPayment(facts, facts.heldAt);
  keepEvent(deps, tx, event, { type: 'hold.placed', objectId: paymentId, data });
  return data;
}
