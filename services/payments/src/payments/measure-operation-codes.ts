import { gaugeOf } from '@cobro/metrics/instruments.ts';
import { type Queries, sql } from '@cobro/postgres/database.ts';

/** Measures how much of the operation codes is used. When none is left, Postgres refuses every new payment. */
export const measureOperationCodes = (db: Queries): (() => void) =>
  gaugeOf('cobro.operation_codes.used', async () => {
    const { used } = await db.one<{ used: number }>(sql`
      select last_value / ${Number.MAX_SAFE_INTEGER}::float8 as used from operation_code`);
    return used;
  });
