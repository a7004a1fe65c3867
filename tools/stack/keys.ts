import { generateKeyPairSync, randomBytes } from 'node:crypto';
import type { ServiceName } from './services.ts';

const SIGNERS: ServiceName[] = ['gateway', 'payments', 'holds'];

export interface Keys {
  vaultKey: string;
  cardFingerprintKey: string;
  cursorKey: string;
  /** Private JWK of each service that calls others, as JSON. */
  signingKeys: Partial<Record<ServiceName, string>>;
  /** JWKS of the public halves, as JSON. */
  verifyKeys: string;
}

/** Fresh keys of one run. */
export function generateKeys(): Keys {
  const pairs = SIGNERS.map((kid) => {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    const named = { kid, alg: 'EdDSA', use: 'sig' };
    return {
      kid,
      privateJwk: { ...privateKey.export({ format: 'jwk' }), ...named },
      publicJwk: { ...publicKey.export({ format: 'jwk' }), ...named },
    };
  });
  const bytes = () => randomBytes(32).toString('base64');
  return {
    vaultKey: bytes(),
    cardFingerprintKey: bytes(),
    cursorKey: bytes(),
    signingKeys: Object.fromEntries(pairs.map(({ kid, privateJwk }) => [kid, JSON.stringify(privateJwk)])),
    verifyKeys: JSON.stringify({ keys: pairs.map(({ publicJwk }) => publicJwk) }),
  };
}
