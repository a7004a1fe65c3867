import { generateKeyPairSync, randomBytes } from 'node:crypto';
import type { Caller } from '@cobro/contracts/caller.ts';
import { Secret } from '@cobro/contracts/secret.ts';
import { createTokenSigner } from '@cobro/service-kit/internal-token.ts';

export interface TestKeys {
  /** Environment variables that every service may be given. */
  shared: Record<string, string>;
  /** INTERNAL_SIGNING_KEY of one issuer. */
  signingKey(issuer: string): string;
  /** An internal token in which the issuer vouches for the caller. */
  token(issuer: string, caller: Caller): Promise<string>;
}

/** Fresh keys, one signing key per issuer. */
export function testKeys(issuers: readonly string[]): TestKeys {
  const pairs = issuers.map((kid) => {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    const [privateJwk, publicJwk] = [privateKey, publicKey].map((key) => ({ ...key.export({ format: 'jwk' }), kid }));
    return { kid, privateJwk, publicJwk };
  });
  const jwks = new Map(pairs.map(({ kid, privateJwk }) => [kid, privateJwk ?? { kid }]));
  const signers = new Map([...jwks].map(([kid, jwk]) => [kid, createTokenSigner(new Secret(jwk))]));
  const bytes = () => randomBytes(32).toString('base64');
  return {
    shared: {
      INTERNAL_VERIFY_KEYS: JSON.stringify({ keys: pairs.map(({ publicJwk }) => publicJwk) }),
      VAULT_KEY: bytes(),
      CARD_FINGERPRINT_KEY: bytes(),
      CURSOR_KEY: bytes(),
    },
    signingKey: (issuer) => JSON.stringify(jwks.get(issuer)),
    token: (issuer, caller) => {
      const sign = signers.get(issuer);
      if (sign === undefined) throw new Error(`${issuer} signs nothing`);
      return sign(caller);
    },
  };
}
