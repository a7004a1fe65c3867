import { withClient } from '@cobro/postgres/with-client.ts';
import type { Scenario } from './driver.ts';

/**
 * Milliseconds from the commit of a payment's outcome to the commit of its projection, for the newest payments: the server's own commit
 * times. Undefined if the server does not keep them.
 */
export async function eventLags(databaseUrl: string, scenario: Scenario): Promise<number[] | undefined> {
  return withClient({ connectionString: databaseUrl }, async (client) => {
    const { rows: settings } = await client.query<{ on: boolean }>(
      `select current_setting('track_commit_timestamp')::boolean as on`,
    );
    if (settings[0]?.on !== true) return undefined;
    const newest =
      scenario === 'charge'
        ? 'select id, xmin from payments.payment order by created_at desc limit 3000'
        : 'select payment_id as id, xmin from holds.hold order by held_at desc limit 3000';
    const { rows } = await client.query<{ ms: string }>(`
      select extract(epoch from pg_xact_commit_timestamp(shown.xmin) - pg_xact_commit_timestamp(written.xmin)) * 1000 as ms
      from (${newest}) written
      join reporting.payment shown on shown.id = written.id`);
    return rows.map(({ ms }) => Number(ms));
  });
}
