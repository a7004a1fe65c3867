import { listResolutions, type Resolution } from '@cobro/bank/resolution.store.ts';
import { type TracedOperation, operationsOfSubjects, operationOfId } from '@cobro/bank/traced-operation.store.ts';
import type { HoldRecord, ProjectionRecord } from '@cobro/books/records.ts';
import { appliedByInbox, type KnownEvent, waitingInOutbox } from '@cobro/events/known-events.ts';
import type { Database } from '@cobro/postgres/database.ts';
import { databaseSentence } from '@cobro/postgres/database-sentence.ts';
import { definitions, journalKeepers } from '../../services/definitions.ts';
import { bookedHolds } from '../../services/holds/src/hold-book.store.ts';
import { bookedIntents, type IntentRecord } from '../../services/intents/src/intents/intent-book.store.ts';
import { type TracedPayment, tracedPayments } from '../../services/payments/src/books/traced-payment.store.ts';
import { bookedProjections } from '../../services/reporting/src/payment-book.store.ts';
import { type TracedEvent, tracedEvents } from '../../services/webhooks/src/events/traced-event.store.ts';

/** The schemas that know of payments, in the order in which a payment meets them. */
export const SCHEMAS = definitions
  .filter(({ follows, keepsJournal }) => keepsJournal || (follows as readonly string[]).includes('PaymentConfirmed'))
  .map(({ name }) => name);
export type Schema = (typeof SCHEMAS)[number];

/** Those schemas whose address is known. */
export type Databases = Partial<Record<Schema, Database>>;

type In<T> = T & { service: Schema };

/** What the databases know for a timeline. */
export interface Records {
  payments: TracedPayment[];
  holds: HoldRecord[];
  intents: IntentRecord[];
  projections: ProjectionRecord[];
  operations: In<TracedOperation & { resolutions: Resolution[] }>[];
  /** What merchants are shown and sent about it. */
  events: TracedEvent[];
  /** Events that the broker does not have yet. */
  waiting: In<KnownEvent>[];
  applied: In<KnownEvent>[];
}

/** Reads what is known, and notes which schemas do not answer. */
export interface RecordReader {
  /** The payments that these ids of payments, links or intents name. */
  payments(ids: readonly string[]): Promise<TracedPayment[]>;
  /** The payment or saved card that this operation is about. */
  subjectOf(operationId: string): Promise<string | undefined>;
  /** Everything but `applied` about payments and intents with these ids. */
  about(payments: TracedPayment[], ids: readonly string[]): Promise<Records>;
  /** Where these events were applied. */
  applied(eventIds: readonly string[]): Promise<In<KnownEvent>[]>;
  /** What is missing because a schema has no address or does not answer, in sentences. */
  missing(): string[];
}

export function recordReader(databases: Databases): RecordReader {
  /** The schemas that do not answer, by sentence. */
  const away = new Map<string, Set<Schema>>();
  const from = async <T>(schema: Schema, read: (db: Database) => Promise<T[]>): Promise<T[]> => {
    const db = databases[schema];
    // A schema that has not answered once is not waited for again.
    const isAway = [...away.values()].some((schemas) => schemas.has(schema));
    if (db === undefined || isAway) return [];
    try {
      return await read(db);
    } catch (error) {
      const sentence = databaseSentence(error);
      if (sentence === undefined) throw error;
      away.set(sentence, (away.get(sentence) ?? new Set()).add(schema));
      return [];
    }
  };
  const fromEach = async <T>(schemas: readonly Schema[], read: (db: Database) => Promise<T[]>): Promise<In<T>[]> => {
    const found = schemas.map(async (service) => (await from(service, read)).map((row) => ({ ...row, service })));
    return (await Promise.all(found)).flat();
  };
  const operationsOf = (ids: readonly string[]) =>
    fromEach(journalKeepers, async (db) => {
      const found = await operationsOfSubjects(db, ids);
      return Promise.all(found.map(async (one) => ({ ...one, resolutions: await listResolutions(db, one.id) })));
    });
  return {
    payments: (ids) => from('payments', (db) => tracedPayments(db, ids)),
    subjectOf: async (operationId) => {
      const [found] = await fromEach(journalKeepers, (db) => operationOfId(db, operationId));
      return found?.subjectId;
    },
    about: async (payments, ids) => {
      const [holds, intents, projections, operations, events, waiting] = await Promise.all([
        from('holds', (db) => bookedHolds(db, [...ids])),
        from('intents', (db) => bookedIntents(db, ids)),
        from('reporting', (db) => bookedProjections(db, [...ids])),
        operationsOf(ids),
        from('webhooks', (db) => tracedEvents(db, ids)),
        fromEach(SCHEMAS, (db) => waitingInOutbox(db, ids)),
      ]);
      return { payments, holds, intents, projections, operations, events, waiting, applied: [] };
    },
    applied: (eventIds) => fromEach(SCHEMAS, (db) => appliedByInbox(db, eventIds)),
    missing: () => {
      const unknown = SCHEMAS.filter((schema) => databases[schema] === undefined);
      return [
        ...(unknown.length > 0 ? [`What ${listOf(unknown)} knows is missing: no address of a database is given.`] : []),
        ...[...away].map(([why, schemas]) => `What ${listOf([...schemas])} knows is missing. ${why}`),
      ];
    },
  };
}

const listOf = (names: readonly string[]) =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
