import { sql, type Tx } from '@cobro/postgres/database.ts';

/** Wakes waiting requests of any replica. The commit sends it; a replica that is not listening misses it. */
export type Notice = { terminal: string } | { organization: string } | { intent: string };

export const CHANNEL = 'intents';

/** Announces, with the commit, an intent for a terminal, an intent for any terminal of an organization, or an intent's outcome. */
export function notify(tx: Tx, notice: Notice): void {
  tx.send(sql`select pg_notify(${CHANNEL}, ${JSON.stringify(notice)})`);
}

/** Wakes requests that wait for the outcome of the intent's charge, and its terminal. */
export function notifyWaiting(tx: Tx, intent: { id: string; terminalId: string | null }): void {
  notify(tx, { intent: intent.id });
  // Another open intent could not be offered to the terminal while the card was being charged.
  if (intent.terminalId !== null) notify(tx, { terminal: intent.terminalId });
}

export const readNotice = (payload: string): Notice => JSON.parse(payload) as Notice;
