import { z } from 'zod';
import { newId } from './ids.ts';
import { eventData, type EventType } from './event-data.ts';

export { eventData, type EventType } from './event-data.ts';
export type { PaymentFacts, BankTransaction, BillingFacts } from './event-data.ts';

/** A CloudEvents 1.0 envelope in its JSON form, as the outbox stores and the broker carries it. */
export interface Envelope {
  specversion: '1.0';
  id: string;
  /** The producing service: /payments. */
  source: string;
  type: string;
  /** Id of the aggregate: a payment, a saved card, an organization. */
  subject: string;
  time: string;
  datacontenttype: 'application/json';
  /** Version of the shape of `data` for this type. */
  dataversion: number;
  /** The aggregate's version after this change, counted by its producer. */
  sequence: string;
  data: unknown;
}

/** An envelope of any type; its data is read by `dataOf`. */
export const envelope = z.object({
  specversion: z.literal('1.0'),
  // As Postgres writes it: ids are compared with what the inbox says.
  id: z.uuid().toLowerCase(),
  source: z.string(),
  type: z.string(),
  subject: z.string(),
  time: z.iso.datetime(),
  datacontenttype: z.literal('application/json'),
  dataversion: z.int(),
  sequence: z.string().regex(/^\d+$/),
  data: z.unknown(),
});

/** Reads an envelope of any type; throws where it is none. Its data is read by `dataOf`. */
export const parseEnvelope = (json: unknown): Envelope => envelope.parse(json);

export type DataOf<T extends EventType> = z.output<(typeof eventData)[T]['data']>;

export function newEvent<T extends EventType>(
  type: T,
  event: { subject: string; sequence: number; time: Date; data: DataOf<T> },
): Envelope {
  const { source, version, data } = eventData[type];
  return {
    specversion: '1.0',
    id: newId(),
    source,
    type,
    subject: event.subject,
    time: event.time.toISOString(),
    datacontenttype: 'application/json',
    dataversion: version,
    sequence: String(event.sequence),
    data: z.encode(data as z.ZodType, event.data),
  };
}

/** The data of an event of this type, decoded: amounts as centavos, times as dates. Throws where the shape is another. */
export function dataOf<T extends EventType>(type: T, event: Envelope): DataOf<T> {
  if (event.type !== type) throw new Error(`expected ${type}, got ${event.type}`);
  return eventData[type].data.parse(event.data) as DataOf<T>;
}
