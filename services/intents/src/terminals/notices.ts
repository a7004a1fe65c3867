import { sql, type Tx } from '@cobro/postgres/database.ts';

/** What waiting requests of any replica may have waited for. The commit sends it; a replica that is not listening misses it. */
export type Notice = { terminal: string } | { organization: string } | { intent: string };

export const CHANNEL = 'intents';

/** Tells every replica after the commit: an intent for a terminal, one for any of an organization, or an outcome. */
export function notify(tx: Tx, notice: Notice): void {
  tx.send(sql`select pg_notify(${CHANNEL}, ${JSON.stringify(notice)})`);
}

export const readNotice = (payload: string): Notice => JSON.parse(payload) as Notice;
