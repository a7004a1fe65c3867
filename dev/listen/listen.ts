import { createHmac } from 'node:crypto';
import type { Event } from '@cobro/client/api.ts';
import type { Client } from '@cobro/client/merchant.ts';
import { lineOf } from './line.ts';
import type { ListenOptions } from './listen-options.ts';
import type { Position } from './position.ts';

export interface Listening extends ListenOptions {
  client: Pick<Client, 'events'>;
  position: Position;
  say: (line: string) => void;
  signal: AbortSignal;
}

const WAIT_S = 30;
const FORWARD_WITHIN_MS = 15_000;

/**
 * Prints a merchant's events as they happen, and forwards them. It saves the cursor after each page, so that a killed run loses nothing
 * when it is started again, and repeats at most that page. Ends with the signal, by throwing its reason.
 */
export async function listen(listening: Listening): Promise<void> {
  const { client, position, sinceMs, types, signal } = listening;
  const from = sinceMs === undefined ? undefined : new Date(Date.now() - sinceMs).toISOString();
  const after = from === undefined ? position.cursor : undefined;
  // Without a cursor, only events from now on are shown.
  const begins = from ?? (after === undefined ? new Date().toISOString() : '');
  const query = { ...(types.length > 0 && { type: types as never[] }), ...(after && { after }) };
  for await (const { data, pagination } of client.events
    .list({ ...query, limit: 100, waitSeconds: WAIT_S }, { signal })
    .pages()) {
    for (const event of data) if (event.createdAt >= begins) await show(listening, event);
    if (pagination.nextCursor !== null) position.moveTo(pagination.nextCursor);
  }
}

async function show({ forwardTo, position, say }: Listening, event: Event): Promise<void> {
  if (forwardTo === undefined) return say(lineOf(event));
  say(`${lineOf(event)} → ${await forward(forwardTo, position.secret, event)}`);
}

/** Sends the event once, signed as a webhook is. Returns the status or the error's code. */
async function forward(to: URL, secret: string, event: Event): Promise<string> {
  const body = JSON.stringify(event);
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signature = createHmac('sha256', key).update(`${event.id}.${timestamp}.${body}`).digest('base64');
  try {
    const { status } = await fetch(to, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'webhook-id': event.id,
        'webhook-timestamp': timestamp,
        'webhook-signature': `v1,${signature}`,
      },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(FORWARD_WITHIN_MS),
    });
    return String(status);
  } catch (error) {
    const { cause, name } = error as Error;
    return (cause as { code?: string } | undefined)?.code ?? name;
  }
}
