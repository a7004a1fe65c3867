import { createPrivateKey, createPublicKey, hash, type JsonWebKey, type KeyObject, sign, verify } from 'node:crypto';
import { type Envelope, producerOf } from '@cobro/contracts/events.ts';
import type { Secret } from '@cobro/contracts/secret.ts';
import { PermanentEventError } from './inbox.ts';
import { keepRecent } from './recent.ts';

/** Prefixed to the body before signing. The same keys sign internal tokens, which never begin like this. */
const DOMAIN = Buffer.from('cobro-event\0');

/** Makes the message by which an event, given as JSON, is published. */
export type EventSigner = (envelope: string) => { content: Buffer; headers: { signature: string } };

/** The parts of a message that show who published it. */
export interface SignedMessage {
  content: Buffer;
  properties: { headers?: Record<string, unknown> | undefined };
}

/** @throws UntrustedEventError if the producer of the event's type has not signed the message */
export type SignatureCheck = (event: Envelope, message: SignedMessage) => void;

/** Begins the reason of an event that is parked for its signature. */
export const NOT_SIGNED_BY = 'not signed by';

/** Somebody other than its producer has published this event, or has changed it on its way. */
export class UntrustedEventError extends PermanentEventError {
  constructor(producer: string) {
    super(`${NOT_SIGNED_BY} ${producer}`);
    this.name = 'UntrustedEventError';
  }
}

type Jwk = JsonWebKey & { kid: string };

/** Each message has the digest of the one signed before it, so that its signature vouches for both. */
export function createEventSigner(signingKey: Secret<Jwk>): EventSigner {
  const key = createPrivateKey({ key: signingKey.reveal(), format: 'jwk' });
  let previous = '';
  return (envelope) => {
    const content = Buffer.from(previous === '' ? envelope : `{"previous":"${previous}",${envelope.slice(1)}`);
    previous = digestOf(content);
    return { content, headers: { signature: sign(null, Buffer.concat([DOMAIN, content]), key).toString('base64') } };
  };
}

const digestOf = (content: Buffer): string => hash('sha256', content, 'base64url');

const VOUCHED_REMEMBERED = 1_000;

/**
 * Checking a signature takes thirty times as long as a digest. So messages that came together are checked from the last to the first:
 * if a believed message of the same service names a message as `previous`, that one is believed by its digest alone.
 *
 * @param jwks public keys by the name of their service; a service whose key is being turned over has two
 */
export function createSignatureCheck({ keys }: { keys: Jwk[] }): SignatureCheck {
  const byService = Map.groupBy(keys, ({ kid }) => kid);
  const believed = new Map([...byService].map(([service, jwks]) => [service, jwks.map(publicKeyOf)]));
  const vouched = keepRecent(VOUCHED_REMEMBERED);
  return ({ type, previous }, message) => {
    const producer = producerOf(type) ?? 'a known service';
    const isVouched = vouched.has(`${producer} ${digestOf(message.content)}`);
    if (!isVouched && !(believed.get(producer) ?? []).some((key) => isSignedWith(key, message))) {
      throw new UntrustedEventError(producer);
    }
    if (previous !== undefined) vouched.add(`${producer} ${previous}`);
  };
}

export const publicKeyOf = (jwk: JsonWebKey): KeyObject => createPublicKey({ key: jwk, format: 'jwk' });

export function isSignedWith(key: KeyObject, { content, properties }: SignedMessage): boolean {
  const signature: unknown = properties.headers?.['signature'];
  if (typeof signature !== 'string') return false;
  return verify(null, Buffer.concat([DOMAIN, content]), key, Buffer.from(signature, 'base64'));
}
