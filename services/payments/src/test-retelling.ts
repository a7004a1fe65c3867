import { isDeepStrictEqual } from 'node:util';
import type { Envelope } from '@cobro/contracts/events.ts';
import { FIRST_KEY } from '@cobro/events/retelling.ts';
import type { Queries } from '@cobro/postgres/database.ts';
import { retellPayments } from './retelling.ts';

/** For tests: returns payments whose retelling, by pages or by ids, differs from their published events (`heardOf`). */
export async function retoldDifferently(queries: Queries, heardOf: (id: string) => Envelope[]): Promise<unknown[]> {
  const retelling = retellPayments(queries);
  const byPages: Envelope[] = [];
  for (let after: string | undefined = FIRST_KEY; after !== undefined;) {
    const page = await retelling.page(after, 3);
    byPages.push(...page.events);
    after = page.last;
  }
  const ids = [...new Set(byPages.map(({ subject }) => subject))];
  const byIds = await retelling.of(ids);
  return ids.flatMap((id) => {
    const [paged, asked] = [byPages, byIds].map((all) => all.filter(({ subject }) => subject === id).map(words));
    // After a crash an event may be published twice, with one id.
    const heard = [...new Map(heardOf(id).map((event) => [event.id, event])).values()];
    const published = heard.filter(({ source }) => source === '/payments').map(words);
    return isDeepStrictEqual(paged, published) && isDeepStrictEqual(asked, published)
      ? []
      : [{ published, paged, asked }];
  });
}

/** Drops what a retelling changes: the event's id, the payment's version and the message's `previous`. */
const words = ({ id: _id, sequence: _sequence, previous: _previous, ...event }: Envelope) => event;
