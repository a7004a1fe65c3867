import { z } from 'zod';
import { newId } from './ids.ts';
import { eventData, type EventType } from './event-data.ts';

export { eventData, type EventType } from './event-data.ts';
export type {
  PaymentFacts,
  BankTransaction,
  BillingFacts,
  StoredBankTransaction,
  SubscriptionChange,
} from './event-data.ts';
export { readTransaction, storedTransaction } from './event-data.ts';

/** A CloudEvents 1.0 envelope in its JSON form, as the outbox stores it and the broker carries it. */
export interface Envelope {
  specversion: '1.0';
  /** UUID v7; the key of every inbox and the AMQP message id. */
  id: string;
  /** The service that publishes the event: /payments. */
  source: string;
  type: string;
  /** The id of the aggregate: a payment, a saved card, an organization. A hold has the id of its payment. */
  subject: string;
  /**
   * The organization that the change belongs to; for a sales partner's key, the partner. This is an extension attribute, and CloudEvents
   * allows no capitals in its name.
   */
  organizationid: string;
  /** Business time of the change; for an outcome at the bank, the bank's time. */
  time: string;
  datacontenttype: 'application/json';
  /** Version of the shape that `data` has for this type. */
  dataversion: number;
  /** The aggregate's version after this change, counted by the producer: payments and holds count versions of one payment separately. */
  sequence: string;
  /** In a message of the broker: the SHA-256 of the previous message that this process of the service signed. */
  previous?: string | undefined;
  /** The facts, amounts as whole centavos; never a card number, and a token only sealed. */
  data: unknown;
}

/** An envelope of any type. `dataOf` reads its data. */
export const envelope = z.object({
  specversion: z.literal('1.0'),
  // In lower case, as Postgres writes it, because ids are compared with those of the inbox.
  id: z.uuid().toLowerCase(),
  source: z.string(),
  type: z.string(),
  subject: z.string(),
  organizationid: z.uuid(),
  time: z.iso.datetime(),
  datacontenttype: z.literal('application/json'),
  dataversion: z.int(),
  sequence: z.string().regex(/^\d+$/),
  previous: z
    .string()
    .optional()
    .meta({ description: 'SHA-256, in base64url, of the message that the same process signed before it.' }),
  data: z.unknown(),
});

/** How many events one service hands to another in one call at most, so that the body stays below its byte limit. */
export const MOST_IN_BUNCH = 16;

/** Throws if the value is not an envelope. */
export const parseEnvelope = (json: unknown): Envelope => envelope.parse(json);

export const eventTypes = Object.keys(eventData) as EventType[];

/** The service that publishes events of this type; undefined for a type that is not known here. */
export const producerOf = (type: string): string | undefined =>
  Object.hasOwn(eventData, type) ? eventData[type as EventType].source.slice(1) : undefined;

export type DataOf<T extends EventType> = z.output<(typeof eventData)[T]['data']>;

/** The data of an event of this type as it is sent: amounts as JSON integers, times as ISO 8601. */
export type SentDataOf<T extends EventType> = z.input<(typeof eventData)[T]['data']>;

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
    organizationid: ownerOf(event.data),
    time: event.time.toISOString(),
    datacontenttype: 'application/json',
    dataversion: version,
    sequence: String(event.sequence),
    data: z.encode(data as z.ZodType, event.data),
  };
}

function ownerOf(data: { organizationId: string | null; partnerId?: string | null }): string {
  const owner = data.organizationId ?? data.partnerId;
  if (owner == null) throw new Error('an event of nobody');
  return owner;
}

/** The data of an event of this type, decoded: amounts as bigint centavos, times as dates. Throws if the data has another shape. */
export function dataOf<T extends EventType>(type: T, event: Envelope): DataOf<T> {
  if (event.type !== type) throw new Error(`expected ${type}, got ${event.type}`);
  return eventData[type].data.parse(event.data) as DataOf<T>;
}
