import { isDeepStrictEqual } from 'node:util';
import type { Envelope } from '@cobro/contracts/events.ts';
import { FIRST_KEY } from '@cobro/events/retelling.ts';
import type { Queries } from '@cobro/postgres/database.ts';
import { retellPayments } from './retelling.ts';

/** For tests: payments whose retelling, by pages or by ids, differs from what `heardOf` has heard. */
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
    // After a crash an event may be published twice, under its one id.
    const heard = [...new Map(heardOf(id).map((event) => [event.id, event])).values()];
    const published = heard.filter(({ source }) => source === '/payments').map(words);
    return isDeepStrictEqual(paged, published) && isDeepStrictEqual(asked, published)
      ? []
      : [{ published, paged, asked }];
  });
}

/** An id is new each time, a version is the one that the payment has when it is published, and `previous` is of the message. */
const words = ({ id: _id, sequence: _sequence, previous: _previous, ...event }: Envelope) => event;
