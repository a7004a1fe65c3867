import { keepSession, type KeptSession } from '@cobro/postgres/kept-session.ts';
import type { Log } from '@cobro/service-kit/log.ts';
import { webhooks } from '../service.ts';

/**
 * This process's own number. Endpoints that it has taken stay its own while its database session lasts, so another process takes
 * over as soon as this one has died, and not before.
 */
export type Sender = KeptSession<number>;

export const openSender = ({ url, log }: { url: string; log: Log }): Sender =>
  keepSession({
    url,
    name: `${webhooks.name} sender`,
    schema: webhooks.name,
    log,
    begin: async (client) => {
      const taken = await client.query<{ number: number }>(`select nextval('sender_number')::int as number`);
      const [{ number } = { number: 0 }] = taken.rows;
      await client.query(`select pg_advisory_lock('webhook_endpoint'::regclass::oid::int, $1)`, [number]);
      return number;
    },
  });
