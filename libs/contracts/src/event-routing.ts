import type { Envelope, EventType } from './events.ts';

/** How a payment that was charged ended. Most payments are made for no intent, and intents' queue gets none of them. */
const outcomes = ['PaymentConfirmed', 'PaymentDeclined', 'PaymentRefunded'] as const satisfies EventType[];
const isOutcome = (type: string) => outcomes.some((outcome) => outcome === type);

/**
 * Where the broker takes an event: its type; and of a payment's outcome also whether the payment was made for an intent:
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

/** What a queue is bound to that gets events of this type: all of them, or those alone that are about an intent. */
export function bindingOf(type: EventType, ofIntentsOnly: boolean): string {
  if (!isOutcome(type)) return type;
  return `${type}.${ofIntentsOnly ? 'intent' : '#'}`;
}
