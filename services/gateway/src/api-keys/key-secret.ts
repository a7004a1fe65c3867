import { hkdfSync } from 'node:crypto';
import { Secret } from '@cobro/contracts/secret.ts';

/** The secret from which keys of forms are computed. All replicas have the same, because they share their signing key. */
export function secretOfKeys(signingKey: Secret<{ kid: string; d?: unknown }>): Secret<Buffer> {
  const { d } = signingKey.reveal();
  if (typeof d !== 'string') throw new Error('the signing key has no private part');
  return new Secret(Buffer.from(hkdfSync('sha256', Buffer.from(d, 'base64url'), '', 'keys of forms', 32)));
}
