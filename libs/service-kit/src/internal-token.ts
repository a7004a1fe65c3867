import { caller as callerSchema, callerInToken, type Caller } from '@cobro/contracts/caller.ts';
import type { Secret } from '@cobro/contracts/secret.ts';
import { type CryptoKey, decodeProtectedHeader, importJWK, type JWK, jwtVerify, SignJWT } from 'jose';

const LIFETIME_S = 60;
const REUSE_MS = 30_000;
const CACHED = 10_000;

export const TOKEN_HEADER = 'x-internal-token';

/**
 * Signs a token that says who a request is from. Only the service `to` takes it. One token per caller and service is used again
 * for half its life.
 */
export type TokenSigner = (caller: Caller, to: string) => Promise<string>;
/** Returns a token's caller, or undefined if none of our services signed it for this one. */
export type TokenVerifier = (token: string) => Promise<VerifiedCaller | undefined>;
export interface VerifiedCaller {
  caller: Caller;
  /** The service that signed the token. */
  issuer: string;
}

function boundedMap<V>() {
  const entries = new Map<string, V>();
  return {
    get: (key: string) => entries.get(key),
    set: (key: string, value: V) => {
      if (entries.size >= CACHED) entries.clear();
      entries.set(key, value);
    },
  };
}

export function createTokenSigner(signingKey: Secret<JWK & { kid: string }>): TokenSigner {
  const jwk = signingKey.reveal();
  const key = importJWK(jwk, 'EdDSA');
  const cache = boundedMap<{ token: Promise<string>; until: number }>();
  return (caller, to) => {
    const id = JSON.stringify([to, caller]);
    const cached = cache.get(id);
    if (cached !== undefined && Date.now() < cached.until) return cached.token;
    const token = key.then((signer) =>
      new SignJWT({ caller: callerInToken(caller) })
        .setProtectedHeader({ alg: 'EdDSA', kid: jwk.kid })
        .setIssuer(jwk.kid)
        .setAudience(to)
        .setExpirationTime(Math.floor(Date.now() / 1000) + LIFETIME_S)
        .sign(signer),
    );
    cache.set(id, { token, until: Date.now() + REUSE_MS });
    return token;
  };
}

/** @param service the service that verifies; tokens for other services are refused */
export async function createTokenVerifier(
  jwks: { keys: (JWK & { kid: string })[] },
  service: string,
): Promise<TokenVerifier> {
  const keys = new Map<string, CryptoKey[]>();
  for (const jwk of jwks.keys) {
    keys.set(jwk.kid, [...(keys.get(jwk.kid) ?? []), (await importJWK(jwk, 'EdDSA')) as CryptoKey]);
  }
  const cache = boundedMap<{ verified: VerifiedCaller; expires: number }>();
  return async (token) => {
    const cached = cache.get(token);
    if (cached !== undefined) return Date.now() < cached.expires ? cached.verified : undefined;
    try {
      const known = keys.get(decodeProtectedHeader(token).kid ?? '') ?? [];
      const claims = { audience: service, algorithms: ['EdDSA'], requiredClaims: ['exp', 'iss'] };
      // A service whose key is being turned over has two.
      const { payload, protectedHeader } = await Promise.any(known.map((key) => jwtVerify(token, key, claims)));
      const caller = callerSchema.parse(payload['caller']);
      const issuer = payload.iss ?? '';
      // A service signs in its own name only: the key's id must be the issuer, and a caller that is a service must be the issuer
      // too.
      if (issuer !== protectedHeader.kid || (caller.kind === 'service' && caller.name !== issuer)) return undefined;
      const verified = { caller, issuer };
      cache.set(token, { verified, expires: (payload.exp ?? 0) * 1_000 });
      return verified;
    } catch {
      return undefined;
    }
  };
}
