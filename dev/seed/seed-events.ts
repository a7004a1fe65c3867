import { createClient } from '@cobro/client/client.ts';
import { runCommand } from './run-command.ts';
import type { SeededStack } from './seeded-stack.ts';

const KEPT_MS = 30 * 86_400_000;
/** Nobody listens there, so what is sent waits to be sent again. */
const AWAY = 'http://127.0.0.1:9/webhooks';

/**
 * Fills the feed with what was seeded of the last 30 days: the services publish it again, and webhooks keeps and delivers it as ever. The
 * giant's endpoints get it, one that answers where the stack has a receiver, and one that is away. Intents are not published again.
 */
export async function seedEvents({ baseUrl, databaseUrl, apiKey }: SeededStack): Promise<void> {
  const merchant = createClient({ baseUrl, apiKey });
  await merchant.webhookEndpoints.create({ url: AWAY, types: ['payment.*', 'hold.*'], description: 'Away' });
  await runCommand(databaseUrl, 'events', 'retell', '--since', new Date(Date.now() - KEPT_MS).toISOString());
}
