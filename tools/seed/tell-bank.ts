import pg from 'pg';
import { madeReference as made } from './stage-history.ts';
import type { SeededStack } from './seeded-stack.ts';

/** So many payments with all their operations are a body of less than 64 KiB. */
const AT_ONCE = 150;
const LANES = 2;

/** Tells the bank simulator of every operation that it got, in an order in which they can have happened. */
export async function tellBank({ databaseUrl, bankUrl }: SeededStack, payments: number): Promise<void> {
  let next = 1;
  const lane = async () => {
    const client = new pg.Client({ connectionString: databaseUrl, application_name: 'seed-bank' });
    await client.connect();
    try {
      while (next <= payments) {
        const first = next;
        next += AT_ONCE;
        const { rows } = await client.query<{ body: string }>({
          name: 'body',
          text: told,
          values: [first, first + AT_ONCE],
        });
        await send(bankUrl, rows[0]?.body ?? '[]');
      }
    } finally {
      await client.end();
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
}

async function send(bankUrl: string, body: string): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${bankUrl}/history`, { method: 'POST', headers, body });
  const answer = await response.text();
  if (!response.ok) throw new Error(`the bank answered ${response.status}: ${answer}`);
}

const entry = (fields: string) => `json_strip_nulls(json_build_object(${fields}, 'authCode', auth_code))`;

const told = `
  select json_agg(entry order by n, step)::text as body from (
    select n, 1 as step, ${entry(`'idempotencyKey', made_by, 'kind', case when by_hold then 'authorize' else 'sale' end, 'savedBy', saved_by,
      'amount', amount, 'terms', case when not by_hold then terms end, 'reference', ${made}, 'time', seed.iso(said_at),
      'declineCode', decline_code`)} as entry
    from seed.payment where n >= $1 and n < $2 and life <> 'lost'
    union all
    select n, 2, ${entry(`'idempotencyKey', ended_by, 'kind', 'capture', 'authorization', ${made}, 'amount', captured_amount,
      'reference', 'cap_' || ended_by, 'time', seed.iso(captured_at)`)}
    from seed.payment where n >= $1 and n < $2 and captured_at is not null
    union all
    select n, 3, ${entry(`'idempotencyKey', ended_by, 'kind', 'void', 'authorization', ${made}, 'reference', 'voi_' || ended_by,
      'time', seed.iso(released_at)`)}
    from seed.payment where n >= $1 and n < $2 and released_at is not null
    union all
    select n, 4, ${entry(`'idempotencyKey', refunded_by, 'kind', 'refund',
      'original', case when captured_at is null then ${made} else 'cap_' || ended_by end, 'amount', coalesce(captured_amount, amount),
      'reference', 'ref_' || refunded_by, 'time', seed.iso(refunded_at)`)}
    from seed.payment where n >= $1 and n < $2 and refunded_at is not null
  ) as entries`;
