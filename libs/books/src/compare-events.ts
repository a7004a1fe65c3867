import { type Difference, differences } from './difference.ts';
import type { PaymentRecord, ShownEvent } from './records.ts';

/** What merchants are shown of a payment in this state. Of one without an outcome nothing. */
function typesOf({ status, heldAt }: PaymentRecord): string[] {
  const taken = heldAt === null ? ['payment.confirmed'] : ['hold.placed', 'hold.captured'];
  const byStatus: Record<string, string[]> = {
    CONFIRMED: taken,
    REFUNDED: [...taken, 'payment.refunded'],
    CANCELLED: ['payment.declined'],
    HELD: ['hold.placed'],
    HOLD_RELEASED: ['hold.placed', 'hold.released'],
    HOLD_EXPIRED: ['hold.placed', 'hold.expired'],
  };
  return byStatus[status] ?? [];
}

/** The intent and the link that the payment was made for. */
const madeFor = ({ paymentIntentId, oneTimePaymentId }: PaymentRecord) =>
  [
    [paymentIntentId, 'payment_intent.confirmed'],
    [oneTimePaymentId, 'one_time_payment.paid'],
  ] as const;

/** The objects whose events say what became of the payment. */
export const objectsOf = (payment: PaymentRecord): string[] => [
  payment.id,
  ...madeFor(payment).flatMap(([id]) => id ?? []),
];

/** Compares what merchants were shown with the payment as it is. `hold.ending` comes only to holds that wait for long. */
export function compareEvents(payment: PaymentRecord, shown: readonly ShownEvent[]): Difference[] {
  const { id, status } = payment;
  const isPaid = status === 'CONFIRMED' || status === 'REFUNDED';
  const due = [
    ...typesOf(payment).map((type) => `${type} ${id}`),
    ...madeFor(payment).flatMap(([object, type]) => (isPaid && object !== null ? [`${type} ${object}`] : [])),
  ];
  const known = shown.filter(({ objectId, type }) => objectId === id && type !== 'hold.ending');
  const all = new Set([...due, ...known.map(({ objectId, type }) => `${type} ${objectId}`)]);
  const times = (one: string) => shown.filter(({ objectId, type }) => one === `${type} ${objectId}`).length;
  return [...all].flatMap((one) => {
    const right = BigInt(due.includes(one));
    const found = BigInt(times(one));
    return differences(id, `payment ${id} in webhooks`, [
      [found < right ? 'missing_here' : 'state', `the number of events ${one}`, found, right],
    ]);
  });
}
