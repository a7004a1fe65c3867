import type { Envelope } from './events.ts';

/** The ids by which a span is found, under the names that log lines and events use. */
export interface SpanIds {
  requestId?: string | undefined;
  keyId?: string | undefined;
  personId?: string | undefined;
  organizationId?: string | undefined;
  partnerId?: string | undefined;
  terminalId?: string | undefined;
  paymentId?: string | undefined;
  paymentMethodId?: string | undefined;
  paymentIntentId?: string | undefined;
  oneTimePaymentId?: string | undefined;
  paymentLinkId?: string | undefined;
  subscriptionId?: string | undefined;
  operationId?: string | undefined;
  operationKind?: string | undefined;
  eventId?: string | undefined;
  eventType?: string | undefined;
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** The value if it is a UUID, so that nothing else in an id's place gets onto a span. */
export const uuidOnly = (value: unknown): string | undefined =>
  typeof value === 'string' && UUID.test(value) ? value : undefined;

/** The ids by which an event's span is found. `data` may have any shape. */
export function idsOfEvent({ id, type, organizationid, data }: Envelope): SpanIds {
  const facts = (typeof data === 'object' ? data : null) as Record<string, unknown> | null;
  return {
    eventId: id,
    eventType: type,
    organizationId: organizationid,
    paymentId: uuidOnly(facts?.['paymentId']),
    paymentMethodId: uuidOnly(facts?.['paymentMethodId']),
    paymentIntentId: uuidOnly(facts?.['paymentIntentId']),
    oneTimePaymentId: uuidOnly(facts?.['oneTimePaymentId']),
    paymentLinkId: uuidOnly(facts?.['paymentLinkId']),
    subscriptionId: uuidOnly(facts?.['subscriptionId']),
  };
}
