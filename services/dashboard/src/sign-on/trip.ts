import { randomBytes } from 'node:crypto';
import { Secret } from '@cobro/contracts/secret.ts';
import { seal, unseal } from '@cobro/service-kit/seal.ts';
import { z } from 'zod';
import type { Deps } from '../deps.ts';
import type { Visit } from '../http/visit.ts';
import type { Trip } from './issuer.ts';

const LIVES_MS = 10 * 60_000;

const carried = z.object({
  signOnId: z.string(),
  purpose: z.enum(['sign-in', 'join', 'link', 'step-up', 'test']),
  /** The invitation that is accepted. */
  invitationId: z.string().nullable(),
  next: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  beganAt: z.number(),
});
export type Carried = z.infer<typeof carried>;
export type Purpose = Carried['purpose'];

type Wanted = Pick<Carried, 'signOnId' | 'purpose' | 'invitationId' | 'next'>;

/** Binds the state to this browser's cookie, so that it is worth nothing in another. */
const contextOf = ({ formToken }: Visit) => `sign-on trip ${formToken}`;
const token = () => randomBytes(32).toString('base64url');

/** The sealed state carries what is needed when the browser comes back, so that a trip needs no row. */
export function beginTrip({ secretKeys }: Deps, visit: Visit, wanted: Wanted): Trip {
  const [nonce, verifier] = [token(), token()];
  const all: Carried = { ...wanted, nonce, verifier, beganAt: Date.now() };
  const state = seal(secretKeys, contextOf(visit), new Secret(JSON.stringify(all))).toString('base64url');
  return { state, nonce, verifier, isFresh: wanted.purpose === 'step-up' };
}

/** Undefined if the state is not ours, of another browser, or too old. */
export function endTrip({ secretKeys }: Deps, visit: Visit, state: string): Carried | undefined {
  try {
    const opened = unseal(secretKeys, contextOf(visit), Buffer.from(state, 'base64url')).reveal();
    const trip = carried.parse(JSON.parse(opened));
    return Date.now() - trip.beganAt < LIVES_MS ? trip : undefined;
  } catch {
    return undefined;
  }
}
