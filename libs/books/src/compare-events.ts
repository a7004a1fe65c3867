import { type Difference, type Fact, differences, iso } from './difference.ts';
import type { CancelledIntent, PaymentRecord, ShownEvent } from './records.ts';

/** An event that its merchant must be shown, with its expected content. */
interface Due {
  objectId: string;
  type: string;
  organizationId: string;
  /** It happened at this time or later. */
  from: Date;
  says: Partial<ShownEvent>;
}

/** The events due for a payment in this state; none if it has no outcome. */
function dueOfPayment(payment: PaymentRecord): Due[] {
  const { id: objectId, organizationId, status, amount, heldAmount, createdAt: from } = payment;
  const heldAt = iso(payment.heldAt);
  const capturedAt = iso(payment.capturedAt);
  const holdReleasedAt = iso(payment.holdReleasedAt);
  const due = (type: string, says: Due['says']): Due => ({ objectId, type, organizationId, from, says });
  const placed = due('hold.placed', { status: 'HELD', amount: heldAmount, heldAt });
  const ended = (type: string) => due(type, { status, amount: heldAmount, heldAt, holdReleasedAt });
  const taken =
    heldAt === null
      ? [due('payment.confirmed', { status: 'CONFIRMED', amount })]
      : [placed, due('hold.captured', { status: 'CONFIRMED', amount, heldAt, capturedAt })];
  const byStatus: Record<string, Due[]> = {
    CONFIRMED: taken,
    REFUNDED: [...taken, due('payment.refunded', { status, amount, refundedAt: iso(payment.refundedAt) })],
    CANCELLED: [due('payment.declined', { status, amount })],
    HELD: [placed],
    HOLD_RELEASED: [placed, ended('hold.released')],
    HOLD_EXPIRED: [placed, ended('hold.expired')],
  };
  return byStatus[status] ?? [];
}

/** The events due for the intent and the one-time payment that this payment has paid. */
function dueOfOrigin({ status, amount, organizationId, createdAt: from, ...payment }: PaymentRecord): Due[] {
  if (status !== 'CONFIRMED' && status !== 'REFUNDED') return [];
  const says = { status: 'CONFIRMED', amount };
  const due = (objectId: string | null, type: string): Due[] =>
    objectId === null ? [] : [{ objectId, type, organizationId, from, says }];
  return [
    ...due(payment.paymentIntentId, 'payment_intent.confirmed'),
    ...due(payment.oneTimePaymentId, 'one_time_payment.paid'),
  ];
}

/** The objects whose events say what became of the payment. */
export const objectsOf = ({ id, paymentIntentId, oneTimePaymentId }: PaymentRecord): string[] =>
  [id, paymentIntentId, oneTimePaymentId].filter((object) => object !== null);

const keyOf = ({ objectId, type }: Pick<ShownEvent, 'objectId' | 'type'>) => `${type} ${objectId}`;

/**
 * Compares the events that merchants were shown with the payment as it is. Events from before `since` may be gone. `hold.ending`
 * is left out, because only holds that wait for long have it.
 */
export function compareEvents(payment: PaymentRecord, shown: readonly ShownEvent[], since: Date): Difference[] {
  const { id } = payment;
  const due = [...dueOfPayment(payment), ...dueOfOrigin(payment)];
  const known = new Set(due.map(keyOf));
  const others = shown.filter((one) => one.objectId === id && one.type !== 'hold.ending' && !known.has(keyOf(one)));
  return [
    ...due.flatMap((one) => compareEvent(id, `payment ${id}`, one, shown, since)),
    ...[...new Set(others.map(keyOf))].map((key) => unexpected(id, `payment ${id}`, key)),
  ];
}

/** Compares the events of an intent that ended without money: exactly one of three types is due. */
export function compareCancelledIntent(
  { id, organizationId, amount, updatedAt: from }: CancelledIntent,
  shown: readonly ShownEvent[],
  since: Date,
): Difference[] {
  const ends = ['payment_intent.cancelled', 'payment_intent.expired', 'payment_intent.superseded'];
  const ofIntent = shown.filter(({ objectId }) => objectId === id);
  const type = ofIntent.find((one) => ends.includes(one.type))?.type ?? 'payment_intent.cancelled';
  const due = { objectId: id, type, organizationId, from, says: { status: 'CANCELLED', amount } };
  const others = ofIntent.filter((one) => one.type !== type);
  return [
    ...compareEvent(id, `intent ${id}`, due, ofIntent, since),
    ...others.map((one) => unexpected(id, `intent ${id}`, keyOf(one))),
  ];
}

const unexpected = (id: string, of: string, key: string): Difference => ({
  what: 'missing_there',
  id,
  sentence: `${of} in webhooks: the event ${key} says what has not happened`,
});

function compareEvent(id: string, of: string, due: Due, shown: readonly ShownEvent[], since: Date): Difference[] {
  const found = shown.filter((one) => keyOf(one) === keyOf(due));
  const [event] = found;
  if (event === undefined) {
    if (due.from < since) return [];
    return [{ what: 'missing_here', id, sentence: `${of} in webhooks: there is no event ${keyOf(due)}` }];
  }
  const says = { organizationId: due.organizationId, ...due.says };
  const facts = Object.keys(says).map((field): Fact => {
    const name = field as keyof typeof says;
    return [name === 'amount' ? 'amount' : name.endsWith('At') ? 'time' : 'state', name, event[name], says[name]];
  });
  return differences(id, `${of} in webhooks, ${keyOf(due)}`, [
    ['state', 'the number of events', BigInt(found.length), 1n],
    ...facts,
  ]);
}
