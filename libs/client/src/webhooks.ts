import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Event } from './api.ts';

/** The request is not from Cobro, not for this endpoint, or too old. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
}

/** The headers of a request, as `fetch` or as Node's server has them. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

const TOLERANCE_S = 300;

export const webhooks = {
  /**
   * Reads a request's event. @param body as it came, before it is parsed @param secret the endpoint's, `whsec_…`
   * @throws WebhookVerificationError: answer 400, and do nothing
   */
  verify(body: string | Uint8Array, headers: WebhookHeaders, secret: string, now: Date = new Date()): Event {
    const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
    const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
      headerOf(headers, name),
    );
    if (!id || !timestamp || !signatures) throw new WebhookVerificationError('a header of the signature is missing');
    const ageS = Math.abs(now.getTime() / 1_000 - Number(timestamp));
    if (!(ageS <= TOLERANCE_S)) throw new WebhookVerificationError('the timestamp is too far from now');
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
    const right = createHmac('sha256', key).update(`${id}.${timestamp}.${text}`).digest();
    // While a secret is turned over, there are two signatures.
    const isRight = signatures.split(' ').some((one) => {
      const [version, signature = ''] = one.split(',', 2);
      const given = Buffer.from(signature, 'base64');
      return version === 'v1' && given.length === right.length && timingSafeEqual(given, right);
    });
    if (!isRight) throw new WebhookVerificationError('no signature is right');
    return JSON.parse(text) as Event;
  },
};

function headerOf(headers: WebhookHeaders, name: string): string | undefined {
  if (typeof headers.get === 'function')
    return (headers as { get(name: string): string | null }).get(name) ?? undefined;
  const value = (headers as Readonly<Record<string, string | readonly string[] | undefined>>)[name];
  return typeof value === 'string' ? value : value?.[0];
}
