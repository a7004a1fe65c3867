import type { Caller } from '@cobro/contracts/caller.ts';
import { type Envelope, producerOf } from '@cobro/contracts/events.ts';
import { Secret } from '@cobro/contracts/secret.ts';
import { createEventSigner } from '@cobro/events/event-signature.ts';
import { createTokenSigner, type TokenSigner } from '@cobro/service-kit/internal-token.ts';
import { type DrawnKeys, drawKeys } from '../../../ops/keys.ts';

export { signingPair } from '../../../ops/keys.ts';

export interface Keys extends DrawnKeys {
  /** The event as its producer publishes it, or signed by a service that only claims to be the producer. */
  signed(event: Envelope, signer?: string): { content: Buffer; headers: { signature: string } };
  /** An internal token with which a service vouches to another for the caller. */
  token(service: string, caller: Caller, to: string): Promise<string>;
  /** The token, signed with the gateway's key, with which the stack moves a service's clock. */
  clockToken(to: string): Promise<string>;
}

/** Fresh keys for one run, and what services sign with them. */
export function generateKeys(): Keys {
  const drawn = drawKeys();
  const secretOf = (service: string) => new Secret(JSON.parse(drawn.signingKey(service)) as { kid: string });
  const signers = new Map<string, TokenSigner>();
  const token: Keys['token'] = (service, caller, to) => {
    const sign = signers.get(service) ?? createTokenSigner(secretOf(service));
    signers.set(service, sign);
    return sign(caller, to);
  };
  return {
    ...drawn,
    // Nobody checks the signature of an unknown type.
    signed: (event, signer = producerOf(event.type) ?? 'payments') =>
      createEventSigner(secretOf(signer))(JSON.stringify(event)),
    token,
    clockToken: (to) => token('gateway', { kind: 'service', name: 'gateway' }, to),
  };
}
