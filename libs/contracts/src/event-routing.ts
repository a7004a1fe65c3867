import type { Envelope, EventType } from './events.ts';

/** Outcomes of payments. Most payments are made for no intent, and the queue of intents gets none of those. */
const outcomes = ['PaymentConfirmed', 'PaymentDeclined', 'PaymentRefunded'] as const satisfies EventType[];
const isOutcome = (type: string) => outcomes.some((outcome) => outcome === type);

/**
 * The broker's routing key: the event's type, and for a payment's outcome also whether the payment was made for an intent:
 * `PaymentConfirmed.intent`, `PaymentConfirmed.other`.
 */
export function routingKeyOf({ type, data }: Pick<Envelope, 'type' | 'data'>): string {
  if (!isOutcome(type)) return type;
  const { paymentIntentId } = data as { paymentIntentId?: string | null };
  return `${type}.${typeof paymentIntentId === 'string' ? 'intent' : 'other'}`;
}

/** Every routing key that an event of this type may have. */
export const routingKeysOf = (type: EventType): readonly string[] =>
  isOutcome(type) ? [`${type}.intent`, `${type}.other`] : [type];

/** The binding of a queue that gets events of this type: all of them, or only outcomes of payments made for an intent. */
export function bindingOf(type: EventType, ofIntentsOnly: boolean): string {
  if (!isOutcome(type)) return type;
  return `${type}.${ofIntentsOnly ? 'intent' : '#'}`;
}
