import { generateKeyPairSync, randomBytes } from 'node:crypto';
import type { z } from 'zod';
import { definitions } from '../services/definitions.ts';

export interface DrawnKeys {
  /** Variables with the same value for all services that have them. */
  shared: Record<string, string>;
  /** The INTERNAL_SIGNING_KEY of one service. */
  signingKey(service: string): string;
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
export function drawKeys(): DrawnKeys {
  const pairs = definitions.map(({ name }) => signingPair(name));
  const signing = new Map<string, string>(pairs.map(({ kid, privateJwk }) => [kid, JSON.stringify(privateJwk)]));
  const drawn = definitions
    .flatMap(({ config }) => Object.entries<z.ZodType>(config))
    .filter(([, schema]) => schema.meta()?.['drawn'] === true)
    .map(([variable]) => [variable, randomBytes(32).toString('base64')]);
  return {
    shared: {
      INTERNAL_VERIFY_KEYS: JSON.stringify({ keys: pairs.map(({ publicJwk }) => publicJwk) }),
      ...(Object.fromEntries(drawn) as Record<string, string>),
    },
    signingKey: (service) => {
      const found = signing.get(service);
      if (found === undefined) throw new Error(`${service} signs nothing`);
      return found;
    },
  };
}
