import { generateKeyPairSync, randomBytes } from 'node:crypto';
import type { Caller } from '@cobro/contracts/caller.ts';
import { type Envelope, producerOf } from '@cobro/contracts/events.ts';
import { Secret } from '@cobro/contracts/secret.ts';
import { createEventSigner } from '@cobro/events/event-signature.ts';
import type { z } from 'zod';
import { createTokenSigner } from '@cobro/service-kit/internal-token.ts';
import { definitions } from '../../../services/definitions.ts';

export interface Keys {
  /** Variables that have the same value for every service that has them. */
  shared: Record<string, string>;
  /** The INTERNAL_SIGNING_KEY of one service. */
  signingKey(service: string): string;
  /** An event as its producer publishes it, or as another service would that claims to be the producer. */
  signed(event: Envelope, signer?: string): { content: Buffer; headers: { signature: string } };
  /** An internal token with which a service vouches to another for the caller. */
  token(service: string, caller: Caller, to: string): Promise<string>;
  /** The token with which the stack, by the gateway's key, moves a service's clock. */
  clockToken(to: string): Promise<string>;
}

/** A fresh pair of keys with which a service signs internal tokens. */
export function signingPair(kid: string) {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const named = { kid, alg: 'EdDSA', use: 'sig' };
  return {
    kid,
    privateJwk: { ...privateKey.export({ format: 'jwk' }), ...named },
    publicJwk: { ...(publicKey.export({ format: 'jwk' }) as { x: string }), ...named },
  };
}

/** Fresh keys for one run: a signing key for each service, and a random value for every variable that needs one. */
export function generateKeys(): Keys {
  const pairs = definitions.map(({ name }) => signingPair(name));
  const jwks = new Map<string, { kid: string }>(pairs.map(({ kid, privateJwk }) => [kid, privateJwk]));
  const signers = new Map([...jwks].map(([kid, jwk]) => [kid, createTokenSigner(new Secret(jwk))]));
  const known = <V>(of: Map<string, V>, service: string): V => {
    const found = of.get(service);
    if (found === undefined) throw new Error(`${service} signs nothing`);
    return found;
  };
  const drawn = definitions
    .flatMap(({ config }) => Object.entries<z.ZodType>(config))
    .filter(([, schema]) => schema.meta()?.['drawn'] === true)
    .map(([variable]) => [variable, randomBytes(32).toString('base64')]);
  return {
    shared: {
      INTERNAL_VERIFY_KEYS: JSON.stringify({ keys: pairs.map(({ publicJwk }) => publicJwk) }),
      ...(Object.fromEntries(drawn) as Record<string, string>),
    },
    signingKey: (service) => JSON.stringify(known(jwks, service)),
    // A type that nobody knows is checked by nobody.
    signed: (event, signer = producerOf(event.type) ?? 'payments') => {
      const content = Buffer.from(JSON.stringify(event));
      return { content, headers: createEventSigner(new Secret(known(jwks, signer)))(content) };
    },
    token: (service, caller, to) => known(signers, service)(caller, to),
    clockToken: (to) => known(signers, 'gateway')({ kind: 'service', name: 'gateway' }, to),
  };
}
