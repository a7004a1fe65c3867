import { createHmac } from 'node:crypto';
import type { Secret } from '@cobro/contracts/secret.ts';

/** The headers of Standard Webhooks. Each secret signs, so that a receiver may have either while one is replaced. */
export function signed(
  { id, at, body }: { id: string; at: Date; body: string },
  secrets: readonly Secret<string>[],
): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.reveal().replace(/^whsec_/, ''), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}
