import { setTimeout as sleep } from 'node:timers/promises';
import { withClient } from '@cobro/postgres/with-client.ts';
import { until } from '@cobro/testing/until.ts';
import { Pool } from 'undici';
import type { Fault } from './fault.ts';

const LINKS = 400_000;
/** Small, so that a batch's write-ahead log fits on its disk beside log that no checkpoint has released yet. */
const BATCH = 10_000;
const WALKERS = 40;
const PAGE_SIZE = 500;

/** One merchant reads the oldest pages of a very long list, many at once. */
export const longLists: Fault = {
  name: `one merchant walks ${LINKS} links, ${WALKERS} pages at once`,
  isFeltByNobody: true,
  begin: async ({ stack, troublemaker: { apiKey, card } }) => {
    await makeLinks(stack.databaseUrl, card);
    const { origin, pathname } = new URL(stack.baseUrl);
    const pool = new Pool(origin, { connections: WALKERS });
    const over = new AbortController();
    const walk = async () => {
      while (!over.signal.aborted) {
        const page = LINKS / PAGE_SIZE - Math.floor(Math.random() * 100);
        const path = `${pathname}/one-time-payment?page=${page}&pageSize=${PAGE_SIZE}`;
        const { statusCode, body } = await pool.request({ path, method: 'GET', headers: { 'x-api-key': apiKey } });
        await body.dump({ limit: Number.POSITIVE_INFINITY });
        // Retries, sooner than Retry-After asks for.
        if (statusCode !== 200) await sleep(200);
      }
    };
    const walking = Array.from({ length: WALKERS }, walk);
    return async () => {
      over.abort();
      await Promise.all(walking);
      await pool.close();
    };
  },
};

/** Inserts links of the card's organization whose ends are not announced, and waits until the service has counted them. */
async function makeLinks(databaseUrl: string, card: string): Promise<void> {
  await withClient({ connectionString: databaseUrl }, async (client) => {
    await client.query('set session_replication_role = replica');
    for (let first = 0; first < LINKS; first += BATCH) {
      await client.query(
        `insert into payments.one_time_payment (
           id, organization_id, request_digest, status, description, amount, currency, expires_at, allowed_terms, created_at,
           updated_at, announced
         )
         select gen_random_uuid(), organization_id, '', (array['PENDING', 'CONFIRMED', 'CANCELLED'])[1 + n % 3], 'Two nights in Oaxaca',
           100 + n, 'MXN', now(), array[1, 3, 6], now() - n * interval '1 second', now(), 'BEFORE'
         from payments.payment_method, generate_series($1::int, $2::int) as n where payment_method.id = $3`,
        [first + 1, first + BATCH, card],
      );
    }
    await client.query('select payments.count_lists_anew()');
    const isCounted = async () => (await client.query('select from payments.list_tally limit 1')).rowCount === 1;
    await until('the links are counted', isCounted);
  });
}
