import type { Secret } from '@cobro/contracts/secret.ts';
import { AddressRefused } from '@cobro/outbound/outbound.ts';
import { unseal } from '@cobro/service-kit/seal.ts';
import type { Deps } from '../deps.ts';
import type { EndpointRow } from '../endpoints/endpoint.row.ts';
import { showEvent } from '../events/event.rules.ts';
import type { DueDelivery } from './delivery.store.ts';
import { signed } from './signature.ts';

const ANSWER_WITHIN_MS = 15_000;

/** One try: the endpoint's answer, or why there is none. */
export type Tried = { status: number; text: string; retryAfter: string | undefined } | { error: string };

/** Sends an event to its endpoint, once. Never rejects. */
export async function sendDelivery(
  deps: Deps,
  endpoint: EndpointRow,
  delivery: DueDelivery,
  until: AbortSignal,
): Promise<Tried> {
  try {
    const request = requestOf(deps, endpoint, delivery);
    try {
      return await deps.outbound.post({ ...request, withinMs: ANSWER_WITHIN_MS, until });
    } catch (error) {
      return { error: sentenceOf(error) };
    }
  } catch (error) {
    // The secret's key is gone, or only a newer release knows the type: other deliveries must not wait for this one.
    deps.log.error(
      { error, eventId: delivery.eventId, organizationId: endpoint.organizationId },
      'a delivery could not be made',
    );
    return { error: 'it could not be made' };
  }
}

function requestOf(deps: Deps, endpoint: EndpointRow, { event, sample, eventId }: DueDelivery) {
  const shown = event === null ? sample : showEvent({ ...event, createdAt: new Date(event.createdAt) });
  const body = JSON.stringify(shown);
  // Real time: receivers refuse a timestamp that is minutes old.
  const signature = signed({ id: eventId, at: new Date(), body }, secretsOf(deps, endpoint));
  const headers = { ...signature, 'content-type': 'application/json', 'user-agent': 'cobro-webhooks' };
  return { url: new URL(endpoint.url), headers, body };
}

function secretsOf({ secretKeys }: Deps, endpoint: EndpointRow): Secret<string>[] {
  const { id, sealedSecret, sealedOldSecret, oldSecretUntil } = endpoint;
  const isOldAlive = sealedOldSecret !== null && oldSecretUntil !== null && oldSecretUntil.getTime() > Date.now();
  return [sealedSecret, ...(isOldAlive ? [sealedOldSecret] : [])].map((sealed) => unseal(secretKeys, id, sealed));
}

/** The error as the merchant's log shows it, without details of our network. */
function sentenceOf(error: unknown): string {
  if (error instanceof AddressRefused) return error.message;
  const { name, code = '', syscall = '' } = error as { name?: string; code?: string; syscall?: string };
  if (name === 'TimeoutError') return 'no answer within 15 s';
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return 'no connection within 5 s';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN' || syscall.startsWith('query')) return 'the name was not found';
  if (code === 'ECONNREFUSED') return 'the connection was refused';
  if (/CERT|TLS|SSL|SIGNATURE|ISSUER/.test(code)) return 'the certificate was not accepted';
  return 'the connection broke';
}
