import { newId } from '@cobro/contracts/ids.ts';
import type { Secret } from '@cobro/contracts/secret.ts';
import { seal, unseal } from '@cobro/service-kit/seal.ts';
import { renderSVG } from 'uqr';
import type { Deps } from '../deps.ts';
import type { LiveSession } from '../sessions/session.store.ts';
import { insertFactor, newFactorOf } from './factor.store.ts';
import { newTotpSecret, totpUri } from './totp.ts';

/** One secret per session, so that a reloaded page shows the same, and a secret that somebody saw is worth nothing later. */
export async function secretOf(
  { db, secretKeys }: Deps,
  { id: sessionId, personId }: Pick<LiveSession, 'id' | 'personId'>,
): Promise<{ id: string; secret: Secret<string> }> {
  const id = newId();
  const sealedSecret = seal(secretKeys, id, newTotpSecret());
  const begun = await db.inTransaction((tx) => {
    insertFactor(tx, { id, personId, sessionId, sealedSecret, createdAt: new Date() });
    return newFactorOf(tx, sessionId);
  });
  return { id: begun.id, secret: unseal(secretKeys, begun.id, begun.sealedSecret) };
}

export const drawn = (secret: Secret<string>, email: string) => ({
  secret: secret.reveal().replaceAll(/(.{4})(?=.)/g, '$1 '),
  qr: renderSVG(totpUri(secret, email), { border: 2 }),
});
