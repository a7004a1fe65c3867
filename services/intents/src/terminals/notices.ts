import { sql, type Tx } from '@cobro/postgres/database.ts';

/** What waiting requests of any replica may have waited for. The commit sends it; a replica that is not listening misses it. */
export type Notice = { terminal: string } | { organization: string } | { intent: string };

export const CHANNEL = 'intents';

/** Wakes the waiting requests of every replica after the commit: an intent for a terminal, one for any of an organization, or an outcome. */
export function notify(tx: Tx, notice: Notice): void {
  tx.send(sql`select pg_notify(${CHANNEL}, ${JSON.stringify(notice)})`);
}

/** Wakes those who wait for the outcome of the intent's charge, and its terminal. */
export function notifyWaiting(tx: Tx, intent: { id: string; terminalId: string | null }): void {
  notify(tx, { intent: intent.id });
  // Whatever is open for the terminal could not be offered to it while the card was being charged.
  if (intent.terminalId !== null) notify(tx, { terminal: intent.terminalId });
}

export const readNotice = (payload: string): Notice => JSON.parse(payload) as Notice;
