import { createBatcher } from '@cobro/async/batcher.ts';
import { dataOf, parseEnvelope } from '@cobro/contracts/events.ts';
import { holdAnswer } from '@cobro/contracts/hold-questions.ts';
import { outwardId, type OutwardPayment } from '@cobro/contracts/outward-events.ts';
import type { Queries } from '@cobro/postgres/database.ts';
import type { ServiceClient } from '@cobro/service-kit/service-client.ts';
import { findData, type NewEvent } from './event.store.ts';
import { outwardOf } from './outward-event.ts';
import { heldPayment } from './payment.rules.ts';

/** Holds as they were shown when they were placed. The later events of a hold lack some of the fields that are shown. */
export interface PlacedHolds {
  /** Keeps the placing in memory, where most holds that end soon are found. */
  remember(placing: NewEvent): void;
  /** Notes that these events are committed. */
  kept(events: readonly NewEvent[]): void;
  /**
   * `news`: the event of the placing, unless it is known to be kept. If it has not come yet, or came before this service existed,
   * payments is asked. Until it is committed its insert may still fail, and the end must not be in the feed before it.
   */
  find(paymentId: string, organizationId: string): Promise<{ placed: OutwardPayment; news: NewEvent[] }>;
}

const ASK_WITHIN_MS = 3_000;
const REMEMBERED = 1_000;

export function createPlacedHolds({ db, payments }: { db: Queries; payments: ServiceClient }): PlacedHolds {
  const recent = new Map<string, { placing: NewEvent; isKept: boolean }>();
  const find = lookUpTogether(db);
  return {
    remember: (placing) => {
      recent.set(placing.objectId, { placing, isKept: false });
      if (recent.size > REMEMBERED) recent.delete(recent.keys().next().value ?? '');
    },
    kept: (events) => {
      for (const { type, objectId } of events) {
        const known = type === 'hold.placed' ? recent.get(objectId) : undefined;
        if (known !== undefined) known.isKept = true;
      }
    },
    find: async (paymentId, organizationId) => {
      const known = recent.get(paymentId);
      if (known !== undefined) {
        const { placing, isKept } = known;
        return { placed: placing.data as OutwardPayment, news: isKept ? [] : [placing] };
      }
      const placed = await find(outwardId(paymentId, 'hold.placed'));
      return placed === undefined ? ask(payments, paymentId, organizationId) : { placed, news: [] };
    },
  };
}

/** Looks up ids that are asked for at the same time by one statement. */
function lookUpTogether(db: Queries): (id: string) => Promise<OutwardPayment | undefined> {
  interface Asked {
    id: string;
    answer: PromiseWithResolvers<OutwardPayment | undefined>;
  }
  const lookUp = async (asked: Asked[]) => {
    try {
      const ids = asked.map(({ id }) => id);
      const found = new Map((await findData(db, ids)).map(({ id, data }) => [id, data as OutwardPayment]));
      for (const { id, answer } of asked) answer.resolve(found.get(id));
    } catch (error) {
      for (const { answer } of asked) answer.reject(error);
    }
  };
  const batches = createBatcher<Asked>({ work: lookUp });
  return (id) => {
    const answer = Promise.withResolvers<OutwardPayment | undefined>();
    batches.add({ id, answer });
    return answer.promise;
  };
}

async function ask(payments: ServiceClient, paymentId: string, organizationId: string) {
  const path = `/internal/payments/${paymentId}?organizationId=${organizationId}`;
  const answer = holdAnswer.parse(await payments.get(path, performance.now() + ASK_WITHIN_MS));
  if (answer.kind === 'none') throw new Error(`payments says of an ended hold: ${answer.code}`);
  const event = parseEnvelope(answer.event);
  const facts = dataOf('HoldPlaced', event);
  const placed = heldPayment(facts, facts.heldAt);
  return { placed, news: [outwardOf(event, { type: 'hold.placed', objectId: paymentId, data: placed })] };
}
