import { createClient } from '@cobro/client/client.ts';
import { runCommand } from './run-command.ts';
import type { SeededStack } from './seeded-stack.ts';

const KEPT_MS = 30 * 86_400_000;
/** Nothing listens there, so each delivery waits for its retry. */
const AWAY = 'http://127.0.0.1:9/webhooks';

/**
 * Fills the feed with the seeded events of the last 30 days: the services retell them, and webhooks keeps and delivers them as usual, to
 * the giant's receiver, if the stack has one, and to an endpoint that is away. Intents are not retold.
 */
export async function seedEvents({ baseUrl, databaseUrl, apiKey }: SeededStack): Promise<void> {
  const merchant = createClient({ baseUrl, apiKey });
  await merchant.webhookEndpoints.create({ url: AWAY, types: ['payment.*', 'hold.*'], description: 'Away' });
  await runCommand(databaseUrl, 'events', 'retell', '--since', new Date(Date.now() - KEPT_MS).toISOString());
}
